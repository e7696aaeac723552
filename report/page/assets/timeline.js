// SPDX-License-Identifier: Apache-2.0
// The timeline: a bar for each process, in as few lanes as possible, with stronger colour for busier processes.
//
// It is drawn on a canvas, so that thousands of processes stay fast. Bars narrower than a pixel are merged with
// neighbours in the lane, in the colour of the busiest. Zoom, cursor and chosen program are shared with the charts.
"use strict";

const timeline = (() => {
	const figure = document.getElementById("timeline");
	const { lives, programs } = charts.data;
	const bars = [];
	const left = 12, right = 12, bottom = 24, gap = 1;
	// minimum width of a bar; a process that lived less than a millisecond has no length, and one pixel is hard to
	// see
	const narrowest = 2;
	const greatestHeight = 320, printWidth = 676; // the width of two charts side by side
	let lanes = 0, width = 0, rowHeight = 0, canvas, line, readout;
	let wanted = () => true; // the reader's search
	let held = null; // the time under the cursor, or null
	let at = null; // the bar selected by keys, or null

	const nameOf = (program) => programs[program] ?? "another program";

	const decode = () => {
		const free = []; // end time of the last bar in each lane
		let start = 0, pid = 0, parent = 0;
		const [starts, lengths, cpu, pids, parents, program] = ["start", "length", "cpu", "pid", "parent", "program"].map((name) => charts.numbers(lives[name]));
		starts.forEach((after, i) => {
			start += after;
			pid += pids[i];
			parent += parents[i];
			const length = lengths[i];
			const bar = {
				from: start / 1000, to: (start + length) / 1000, pid, parent, program: program[i],
				cpu: cpu[i] / 1000, busy: Math.max(0, Math.min(1, cpu[i] / Math.max(length, 1))), unknown: cpu[i] < 0,
			};
			let lane = free.findIndex((end) => end <= bar.from);
			if (lane < 0) lane = free.length;
			free[lane] = bar.to;
			bars.push({ ...bar, lane });
		});
		lanes = free.length;
	};

	const printing = () => document.documentElement.classList.contains("print");

	const toPixel = (time) => {
		const [from, to] = charts.view();
		return left + (time - from) / (to - from) * (width - left - right);
	};

	const toTime = (pixel) => {
		const [from, to] = charts.view();
		return from + (pixel - left) / (width - left - right) * (to - from);
	};

	const inSight = (time) => time !== null && time >= charts.view()[0] && time <= charts.view()[1];

	// Returns the pixel row of a lane. Lanes that are lower than a pixel share a row.
	const rowOf = (lane) => rowHeight >= 1 ? lane : Math.floor(lane * rowHeight);

	// Returns the shapes to draw: the visible bars. Bars narrower than a pixel are merged.
	const shapes = () => {
		const chosen = charts.chosen();
		const last = [];
		const all = [];
		for (const bar of bars) {
			const from = Math.max(left, toPixel(bar.from)), to = Math.min(width - right, toPixel(bar.to));
			if (to < left || from > width - right) continue;
			const faint = (chosen !== null && bar.program !== chosen) || !wanted(bar);
			const row = rowOf(bar.lane);
			const before = last[row];
			if (before && to - before.from < 1) {
				before.busy = faint && !before.faint ? before.busy : Math.max(before.busy, bar.busy);
				before.faint &&= faint;
				before.many = true;
				before.unknown &&= bar.unknown;
				continue;
			}
			last[row] = { from, to, busy: bar.busy, unknown: bar.unknown, faint, lane: bar.lane, name: nameOf(bar.program) };
			all.push(last[row]);
		}
		// the busiest on top
		return rowHeight < 1 ? all.sort((a, b) => b.faint - a.faint || a.busy - b.busy) : all;
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
		const wanted = (to - from) / Math.max(2, width / 100);
		const step = units.timeSteps.find((size) => size >= wanted) ?? wanted;
		context.fillStyle = charts.style("--muted");
		for (const at of charts.ticks(from, to, step)) {
			const x = toPixel(at);
			context.fillRect(x, height - bottom, 1, 4);
			context.textAlign = x < left + 8 ? "left" : x > width - right - 8 ? "right" : "center";
			context.fillText(charts.tickText(at, step), x, height - 9);
		}
		context.textAlign = "left";
	};

	const draw = () => {
		width = printing() ? printWidth : figure.querySelector(".plot").clientWidth;
		rowHeight = Math.min(20, (greatestHeight - bottom) / lanes);
		const height = Math.ceil(lanes * rowHeight) + bottom;
		const fine = printing() ? charts.printFine : Math.max(2, devicePixelRatio);
		canvas.width = width * fine;
		canvas.height = height * fine;
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
		line.style.height = `${height - bottom}px`;
		const context = canvas.getContext("2d");
		context.scale(fine, fine);
		context.textBaseline = "middle";
		context.font = `12px ${charts.style("--font")}`;
		const [idle, busy, card, text, onBusy] = ["--idle", "--busy", "--card", "--text", "--on-busy"].map(charts.style);
		const thick = Math.max(rowHeight - (rowHeight > 4 ? gap : 0), 0.5);
		const hatch = charts.hatch(1);
		for (const shape of shapes()) {
			const color = charts.mix(idle, busy, shape.busy);
			context.fillStyle = shape.unknown ? hatch : shape.faint ? charts.mix(color, card, 0.82) : color;
			context.fillRect(shape.from, shape.lane * rowHeight, Math.max(narrowest, shape.to - shape.from - (shape.to - shape.from > 3 ? 1 : 0)), thick);
			label(context, shape, shape.busy > 0.45 ? onBusy : text);
		}
		axis(context, height);
		mark(held);
	};

	// Draws the cursor that is shared with the charts.
	const mark = (time) => {
		held = time;
		line.hidden = !inSight(time);
		if (!line.hidden) line.style.left = `${toPixel(time)}px`;
	};

	// Returns the bar at a position, or the nearest bar in its lane within three pixels. If several bars are
	// equally near, returns the busiest, because it is drawn on top.
	const find = (time, isRow) => {
		let best = null, distance = toTime(3) - toTime(0);
		for (const bar of bars) {
			if (!isRow(bar.lane)) continue;
			const away = Math.max(0, bar.from - time, time - bar.to);
			if (away < distance || (away === distance && bar.busy > (best?.busy ?? -1))) [best, distance] = [bar, away];
		}
		return best;
	};

	const under = ({ offsetX, offsetY }) => {
		const row = rowOf(Math.floor(offsetY / rowHeight));
		return find(toTime(offsetX), (lane) => rowOf(lane) === row);
	};

	const describe = (bar) => bar === null ? "" :
		`${nameOf(bar.program)} · process ${bar.pid} · from ${units.elapsed(Number(bar.from.toFixed(3)))} for ` +
		`${units.lived(bar.to - bar.from)} · ${bar.unknown ? "CPU time not known" : `${units.duration(bar.cpu)} of CPU time`}`;

	const choose = (bar) => charts.choose(bar === null || bar.program < 0 || charts.chosen() === bar.program ? null : bar.program);

	const scale = () => {
		const key = make("p", { className: "ramp" }, "idle", make("span", { "aria-hidden": "true" }), "one CPU or more");
		if (bars.some(({ unknown }) => unknown)) key.append(make("span", { className: "unknown" }), "not known");
		return key;
	};

	// Dragging zooms; a click chooses the program.
	const press = (event) => {
		const from = event.offsetX, bar = under(event);
		canvas.setPointerCapture(event.pointerId);
		canvas.addEventListener("pointerup", (end) => {
			if (Math.abs(end.offsetX - from) < 3) choose(bar);
			else charts.show(...[toTime(from), toTime(end.offsetX)].sort((a, b) => a - b));
		}, { once: true });
	};

	const tell = (bar) => {
		at = bar;
		readout.textContent = describe(bar);
		charts.say(bar === null ? "no process" : describe(bar));
	};

	// The left and right keys change the time within the lane. The up and down keys select another process that is
	// alive at this time.
	const move = (direction, jump) => {
		const [from, to] = charts.view();
		const start = inSight(held) ? held + direction * (to - from) / (jump ? 10 : 200) : direction > 0 ? from : to;
		const time = Math.min(to, Math.max(from, start));
		charts.point(time);
		const lane = at?.lane ?? 0;
		tell(find(time, (other) => other === lane));
		at ??= { lane };
	};

	const climb = (direction) => {
		const time = inSight(held) ? held : charts.view()[0];
		const lane = at?.lane ?? (direction > 0 ? -1 : lanes);
		const alive = bars.filter((bar) => bar.from <= time && bar.to >= time && (bar.lane - lane) * direction > 0);
		if (alive.length > 0) tell(alive.reduce((a, b) => (b.lane - a.lane) * direction < 0 ? b : a));
		charts.point(time);
	};

	const keys = (event) => charts.press(event, {
		...charts.zoomKeys(inSight(held) ? held : null),
		ArrowLeft: () => move(-1, event.shiftKey),
		ArrowRight: () => move(1, event.shiftKey),
		ArrowUp: () => climb(-1),
		ArrowDown: () => climb(1),
		Enter: () => at?.pid !== undefined && choose(at),
	});

	const listen = (plot) => {
		canvas.addEventListener("pointermove", (event) => {
			const time = toTime(event.offsetX);
			readout.textContent = describe(under(event));
			charts.point(inSight(time) ? time : null);
		});
		canvas.addEventListener("pointerleave", () => {
			readout.textContent = "";
			charts.point(null);
		});
		canvas.addEventListener("pointerdown", press);
		canvas.addEventListener("dblclick", charts.reset);
		plot.addEventListener("keydown", keys);
		charts.follow(draw);
		charts.followCursor(mark);
	};

	const begin = () => {
		if (!figure) return;
		const plot = figure.querySelector(".plot");
		decode();
		canvas = make("canvas");
		line = make("span", { className: "at" });
		readout = make("p", { className: "readout" });
		figure.classList.add("charted");
		figure.querySelector("h3").after(readout, scale());
		figure.querySelector("figcaption").append(tree.search(figure));
		plot.append(canvas, line);
		charts.reachable(plot, "timeline");
		listen(plot);
		new ResizeObserver(() => { if (!printing()) draw(); }).observe(plot);
		draw();
	};

	const search = (match) => {
		wanted = match;
		draw();
	};

	return { begin, bars, draw, nameOf, search, place: (bar) => [toPixel((bar.from + bar.to) / 2), (bar.lane + 0.5) * rowHeight] };
})();
