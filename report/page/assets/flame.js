// SPDX-License-Identifier: Apache-2.0
// The flame graph: the call stacks of the job, each frame as wide as its CPU time.
//
// The page has the frames of all stacks as a tree in preorder, and cells. A cell is the CPU time in a frame of one
// process during one interval. The graph adds up the cells in view, so it follows the time range of the charts.
"use strict";

const flame = (() => {
	const box = document.querySelector(".flame");
	const origins = ["", "own", "library"]; // as in report/page/flame_section.c
	const kinds = ["", ", your code", ", library"];
	const narrowest = 1; // pixels; narrower frames are not drawn
	const paper = 690;
	const help = "Click a frame to zoom. Keys: arrows, Enter, Esc.";
	let data, picture, rowHeight, readout, context;
	let nodes = [], cells = [];
	let frames = [], shown = [], elements = new Map();
	let total = { cpu: 0, samples: 0 };
	let byProcess = false, wanted = "";
	let zoomed = "", selected = ""; // keys of frames, or "" if there is none

	const decode = () => {
		data = JSON.parse(document.getElementById("stacks").textContent);
		const column = (values) => charts.decode(1, values);
		const depth = column(data.nodes.depth), line = column(data.nodes.line), last = [0];
		nodes = [{}, ...column(data.nodes.frame).map((number, i) => {
			const [name, file, origin] = data.frames[number];
			last[depth[i]] = i + 1;
			return { name, file, origin, line: line[i], depth: depth[i], caller: last[depth[i] - 1] };
		})];
		const [node, process, interval] = ["node", "process", "interval"].map((name) => column(data.cells[name]));
		const [samples, cpu] = ["samples", "cpu"].map((name) => charts.numbers(data.cells[name])); // sums, so their differences are the cells
		cells = node.map((_, i) => ({ node: node[i], process: process[i], time: (interval[i] + 0.5) * data.interval, samples: samples[i], cpu: cpu[i] * data.step }));
	};

	const whole = () => charts.view()[0] <= charts.full[0] && charts.view()[1] >= charts.full[1];

	const inView = () => {
		const [from, to] = charts.view();
		return whole() ? cells : cells.filter(({ time }) => time >= from && time <= to);
	};

	const nameOf = ({ name, depth }, process) => {
		if (!byProcess || depth > 1) return name;
		return `${name} (${process < data.pids.length ? `process ${data.pids[process]}` : "other processes"})`;
	};

	// Appends the frames of these cells to `frames`, and adds their sum to `total`. Frames with the same caller are side
	// by side, and programs begin at the end of the last program.
	const addFrames = (list, process) => {
		const cpu = new Float64Array(nodes.length), samples = new Float64Array(nodes.length);
		const made = [], ends = [total.cpu]; // for each node, the end of the last frame that it called
		for (const cell of list) {
			cpu[cell.node] += cell.cpu;
			samples[cell.node] += cell.samples;
		}
		for (let i = nodes.length - 1; i > 0; i--) {
			cpu[nodes[i].caller] += cpu[i];
			samples[nodes[i].caller] += samples[i];
		}
		for (let i = 1; i < nodes.length; i++) {
			if (cpu[i] === 0) continue;
			const node = nodes[i], from = ends[node.caller], to = from + cpu[i];
			ends[node.caller] = to;
			ends[i] = from;
			made[i] = { key: `${process} ${i}`, node, name: nameOf(node, process), caller: made[node.caller] ?? null, from, to, cpu: cpu[i], samples: samples[i] };
			frames.push(made[i]);
		}
		total = { cpu: total.cpu + cpu[0], samples: total.samples + samples[0] };
	};

	const layOut = () => {
		const lists = byProcess ? Array.from({ length: data.pids.length + 1 }, () => []) : [[]];
		for (const cell of inView()) lists[byProcess ? cell.process : 0].push(cell);
		frames = [];
		total = { cpu: 0, samples: 0 };
		lists.forEach(addFrames);
	};

	// Formats CPU time and its share. A share of few samples is too imprecise.
	const amount = ({ cpu, samples }) => {
		const share = samples < data.samplesLeast ? "" : `${Number((100 * cpu / total.cpu).toPrecision(2))} % of CPU time, `;
		return `${share}${units.duration(cpu)}${share === "" ? " of CPU time" : ""} in ${units.count.format(samples)} sample${samples === 1 ? "" : "s"}`;
	};

	const describe = (frame) => {
		const { file, line, origin } = frame.node;
		const place = file === "" ? "" : ` in ${file}${line === null ? "" : `:${line}`}`;
		return `${frame.name}${place}${kinds[origin]}: ${amount(frame)}`;
	};

	const isFound = ({ name, node }) => wanted !== "" && `${name} ${node.file}`.toLowerCase().includes(wanted);

	// Sums up the frames that the search found. A frame that another such frame called is a part of that frame.
	const matches = () => {
		const found = new Set(frames.filter(isFound));
		const isPart = ({ caller }) => caller !== null && (found.has(caller) || isPart(caller));
		const sum = { count: found.size, cpu: 0, samples: 0 };
		for (const frame of found) {
			if (isPart(frame)) continue;
			sum.cpu += frame.cpu;
			sum.samples += frame.samples;
		}
		return sum;
	};

	const sayMatches = () => {
		const sum = matches();
		box.parentElement.querySelector("output").textContent = wanted === "" ? "" : sum.count === 0 ? "No match"
			: `${sum.count} match${sum.count === 1 ? "" : "es"}: ${amount(sum)}`;
	};

	// Cuts a name to the width of its frame. The frame above a code line has the file, so ":57" is enough.
	const fit = (name, room) => {
		if (room < 10) return "";
		const wide = (text) => context.measureText(text).width;
		if (wide(name) <= room) return name;
		const line = name.match(/:\d+$/)?.[0] ?? name;
		if (wide(line) <= room) return line;
		const letters = Math.floor(name.length * room / wide(name)) - 1;
		return letters < 2 ? "" : `${name.slice(0, letters)}…`;
	};

	const svg = (name, attributes, ...children) => {
		const element = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
		element.append(...children);
		return element;
	};

	const draw = () => {
		layOut();
		const width = document.documentElement.classList.contains("print") ? paper : box.clientWidth;
		const { from: left, to: right } = frames.find(({ key }) => key === zoomed) ?? { from: 0, to: total.cpu };
		const place = ({ from, to }) => [Math.max(from, left) - left, Math.min(to, right) - left].map((at) => at / (right - left));
		elements = new Map();
		for (const frame of frames) {
			const [from, to] = place(frame), room = (to - from) * width;
			if (!(room >= narrowest)) continue;
			const element = svg("svg", {
				x: `${100 * from}%`, y: (frame.node.depth - 1) * rowHeight, width: `${100 * (to - from)}%`, height: rowHeight - 1,
				class: `${origins[frame.node.origin]}${isFound(frame) ? " found" : ""}${frame.key === selected ? " current" : ""}`,
			}, svg("title", {}, describe(frame)), svg("rect", { width: "100%", height: "100%" }), svg("text", { x: 4, y: 15 }, fit(frame.name, room - 8)));
			elements.set(element, frame);
		}
		shown = [...elements.values()];
		picture.replaceChildren(...elements.keys());
		sayMatches();
		rest();
	};

	const current = () => shown.find(({ key }) => key === selected) ?? null;

	// Shows the selected frame, or else the time range and its CPU time.
	const rest = () => {
		const [from, to] = charts.view().map((at) => units.elapsed(Number(at.toFixed(3))));
		const frame = current();
		readout.textContent = frame ? describe(frame) : whole() ? help : `${from} to ${to}: ${units.duration(total.cpu)} of CPU time. ${help}`;
	};

	// Makes a frame as wide as the graph. A second click shows all frames again.
	const zoom = (frame) => {
		zoomed = frame === null || frame.key === zoomed ? "" : frame.key;
		draw();
	};

	const select = (frame) => {
		if (!frame) return;
		selected = frame.key;
		for (const [element, { key }] of elements) element.classList.toggle("current", key === selected);
		rest();
		charts.say(describe(frame));
	};

	const beside = (step) => {
		const row = shown.filter(({ node }) => node.depth === (current()?.node.depth ?? 1));
		select(current() ? row[row.indexOf(current()) + step] : row[0]);
	};

	const keys = (event) => charts.press(event, {
		ArrowLeft: () => beside(-1),
		ArrowRight: () => beside(1),
		ArrowUp: () => select(current()?.caller),
		ArrowDown: () => select(shown.find(({ caller }) => caller === current())),
		Enter: () => current() && zoom(current()),
		Escape: () => zoom(null),
	});

	const listen = () => {
		const under = ({ target }) => elements.get(target.closest("svg")) ?? null;
		box.addEventListener("click", (event) => under(event) && zoom(under(event)));
		box.addEventListener("pointermove", (event) => {
			if (under(event)) readout.textContent = describe(under(event));
			else rest();
		});
		box.addEventListener("pointerleave", rest);
		box.addEventListener("keydown", keys);
		const [input, button] = ["input", "button[aria-pressed]"].map((name) => box.parentElement.querySelector(name));
		input.addEventListener("input", () => {
			wanted = input.value.trim().toLowerCase();
			draw();
		});
		button?.addEventListener("click", () => {
			byProcess = !byProcess;
			zoomed = selected = "";
			button.setAttribute("aria-pressed", String(byProcess));
			draw();
		});
		charts.follow(draw);
		new ResizeObserver(() => { if (!document.documentElement.classList.contains("print")) draw(); }).observe(box);
	};

	const begin = () => {
		if (!box) return;
		decode();
		picture = box.querySelector("svg");
		rowHeight = parseFloat(picture.getAttribute("height")) / Math.max(...nodes.slice(1).map(({ depth }) => depth));
		readout = box.parentElement.querySelector(".readout");
		context = document.createElement("canvas").getContext("2d");
		context.font = `12px ${charts.style("--font")}`;
		charts.reachable(box, "flame graph");
		listen();
	};

	return { begin, frames: () => frames };
})();
