// The timeline: a bar for each process, in as few lanes as hold them, the busier the darker.
//
// Drawn on a canvas, so that thousands are no burden. What is narrower than a pixel is merged with its neighbours in
// the lane: the busiest of them gives the colour. The charts' zoom and the bill's choice apply here too.
"use strict";

const timeline = (() => {
	const figure = document.getElementById("timeline");
	const { lives, programs } = charts.data;
	const bars = [];
	const left = 12, right = 12, bottom = 24, gap = 1;
	const greatestHeight = 320;
	let lanes = 0, canvas, readout, rowHeight = 0;

	const nameOf = (program) => programs[program] ?? "another program";

	const decode = () => {
		const free = []; // when each lane becomes free
		let start = 0, pid = 0;
		lives.start.forEach((after, i) => {
			start += after;
			pid += lives.pid[i];
			const length = lives.length[i];
			const bar = {
				from: start / 1000, to: (start + length) / 1000, pid, program: lives.program[i],
				cpu: lives.cpu[i] / 1000, busy: length > 0 ? Math.min(1, lives.cpu[i] / length) : 0,
			};
			let lane = free.findIndex((end) => end <= bar.from);
			if (lane < 0) lane = free.length;
			free[lane] = bar.to;
			bars.push({ ...bar, lane });
		});
		lanes = free.length;
	};

	const toPixel = (time) => {
		const [from, to] = charts.view();
		return left + (time - from) / (to - from) * (canvas.clientWidth - left - right);
	};

	const toTime = (pixel) => {
		const [from, to] = charts.view();
		return from + (pixel - left) / (canvas.clientWidth - left - right) * (to - from);
	};

	// What is to be painted: the bars in sight, those of less than a pixel joined.
	const shapes = () => {
		const chosen = charts.chosen();
		const last = [];
		const all = [];
		for (const bar of bars) {
			const from = Math.max(left, toPixel(bar.from)), to = Math.min(canvas.clientWidth - right, toPixel(bar.to));
			if (to < left || from > canvas.clientWidth - right) continue;
			const faint = chosen !== null && bar.program !== chosen;
			const before = last[bar.lane];
			if (before && to - before.from < 1) {
				before.busy = faint && !before.faint ? before.busy : Math.max(before.busy, bar.busy);
				before.faint &&= faint;
				before.many = true;
				continue;
			}
			last[bar.lane] = { from, to, busy: bar.busy, faint, lane: bar.lane, name: nameOf(bar.program) };
			all.push(last[bar.lane]);
		}
		return all;
	};

	const label = (context, shape, ink) => {
		const room = shape.to - shape.from - 10;
		if (rowHeight < 13 || shape.many || shape.faint || room < 14) return;
		let text = shape.name;
		while (text.length > 1 && context.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
		if (text.length < 3 && text !== shape.name) return;
		context.fillStyle = ink;
		context.fillText(text, shape.from + 5, shape.lane * rowHeight + rowHeight / 2 + 0.5);
	};

	const axis = (context, height) => {
		const [from, to] = charts.view();
		const wanted = (to - from) / Math.max(2, canvas.clientWidth / 90);
		const step = units.timeSteps.find((size) => size >= wanted) ?? wanted;
		context.fillStyle = charts.style("--muted");
		context.textAlign = "center";
		for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
			const x = toPixel(at);
			context.fillRect(x, height - bottom, 1, 4);
			if (x > left + 8 && x < canvas.clientWidth - right - 8) context.fillText(units.elapsed(Number(at.toFixed(6))), x, height - 9);
		}
		context.textAlign = "left";
	};

	const draw = () => {
		const width = figure.querySelector(".plot").clientWidth;
		rowHeight = Math.min(20, (greatestHeight - bottom) / lanes);
		const height = Math.ceil(lanes * rowHeight) + bottom;
		const fine = Math.max(2, devicePixelRatio);
		canvas.width = width * fine;
		canvas.height = height * fine;
		canvas.style.height = `${height}px`;
		const context = canvas.getContext("2d");
		context.scale(fine, fine);
		context.textBaseline = "middle";
		context.font = `12px ${charts.style("--font")}`;
		const [idle, busy, card] = ["--idle", "--busy", "--card"].map(charts.style);
		const thick = Math.max(rowHeight - (rowHeight > 4 ? gap : 0), 0.5);
		for (const shape of shapes()) {
			const color = charts.mix(idle, busy, shape.busy);
			context.fillStyle = shape.faint ? charts.mix(color, card, 0.82) : color;
			context.fillRect(shape.from, shape.lane * rowHeight, Math.max(1, shape.to - shape.from - (shape.to - shape.from > 3 ? 1 : 0)), thick);
			label(context, shape, shape.busy > 0.45 ? charts.style("--on-busy") : charts.style("--text"));
		}
		axis(context, height);
	};

	// The bar under the pointer, or the nearest one in its lane within three pixels.
	const find = (x, y) => {
		const lane = Math.floor(y / rowHeight), time = toTime(x), reach = toTime(x + 3) - time;
		let best = null, distance = reach;
		for (const bar of bars) {
			if (bar.lane !== lane) continue;
			const away = Math.max(0, bar.from - time, time - bar.to);
			if (away <= distance) [best, distance] = [bar, away];
		}
		return best;
	};

	const describe = (bar) => bar === null ? "" :
		`${nameOf(bar.program)} · process ${bar.pid} · from ${units.elapsed(Number(bar.from.toFixed(3)))} for ` +
		`${units.elapsed(Number((bar.to - bar.from).toFixed(3)))} · ${units.elapsed(Number(bar.cpu.toFixed(3)))} of CPU time`;

	const scale = () => {
		const key = document.createElement("p");
		const bar = document.createElement("span");
		key.className = "ramp";
		bar.setAttribute("aria-hidden", "true");
		key.append("idle", bar, "one CPU or more");
		return key;
	};

	const drag = (event) => {
		const from = event.offsetX;
		canvas.setPointerCapture(event.pointerId);
		canvas.addEventListener("pointerup", (end) => {
			if (Math.abs(end.offsetX - from) < 3) return;
			charts.show(...[toTime(from), toTime(end.offsetX)].sort((a, b) => a - b));
		}, { once: true });
	};

	const begin = () => {
		if (!figure) return;
		decode();
		canvas = document.createElement("canvas");
		readout = document.createElement("p");
		readout.className = "readout";
		figure.classList.add("charted");
		figure.querySelector("h3").after(readout, scale());
		figure.querySelector(".plot").append(canvas);
		canvas.addEventListener("pointermove", (event) => { readout.textContent = describe(find(event.offsetX, event.offsetY)); });
		canvas.addEventListener("pointerleave", () => { readout.textContent = ""; });
		canvas.addEventListener("pointerdown", drag);
		canvas.addEventListener("dblclick", charts.reset);
		charts.follow(draw);
		new ResizeObserver(draw).observe(figure.querySelector(".plot"));
		draw();
	};

	return { begin, bars, lanes: () => lanes, describe };
})();
