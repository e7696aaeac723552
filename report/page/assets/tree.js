// SPDX-License-Identifier: Apache-2.0
// The process tree, in which each process is below its parent, with folding and search.
//
// Rows are created when a process is unfolded, and only the first hundred children, so that thousands of processes stay
// fast. Matches are also highlighted in the timeline and the bill.
"use strict";

const tree = (() => {
	const most = 100; // number of children shown per process
	let children = null, box = null, body = null, text = "";
	const open = new Set();

	const grow = () => {
		if (children !== null) return;
		children = new Map([[null, []]]);
		for (const bar of timeline.bars) {
			const parent = timeline.bars[bar.parent] ?? null;
			if (children.has(parent)) children.get(parent).push(bar);
			else children.set(parent, [bar]);
		}
		for (const root of children.get(null)) open.add(root);
	};

	const below = (bar) => (children.get(bar) ?? []).reduce((sum, child) => sum + Math.max(0, child.cpu) + below(child), 0);
	const matches = (bar) => timeline.nameOf(bar.program).toLowerCase().includes(text) || String(bar.pid) === text;
	const holds = (bar) => matches(bar) || (children.get(bar) ?? []).some(holds);

	const rowOf = (bar, depth) => {
		const under = (children.get(bar) ?? []).length, program = timeline.nameOf(bar.program), shown = open.has(bar) || text !== "";
		const fold = under === 0 ? make("span", { className: "leaf" }) : makeButton(shown ? "▾" : "▸", () => {
			if (!open.delete(bar)) open.add(bar);
			write();
		}, { "aria-expanded": String(shown), "aria-label": `${program} ${bar.pid}, ${under} started` });
		const name = make("th", { scope: "row", title: program }, fold, program);
		name.style.paddingLeft = `${Math.min(depth, 20) * 16}px`;
		const figures = [bar.pid, units.duration(bar.from), units.lived(bar.to - bar.from), bar.unknown ? "–" : units.duration(bar.cpu), under > 0 ? units.duration(below(bar)) : ""];
		return make("tr", { className: text !== "" && matches(bar) ? "found" : "" }, name, ...figures.map((figure) => make("td", { className: "number" }, figure)));
	};

	const add = (parent, depth) => {
		const all = (children.get(parent) ?? []).filter((bar) => text === "" || holds(bar));
		for (const bar of all.slice(0, most)) {
			body.append(rowOf(bar, depth));
			if (text !== "" || open.has(bar)) add(bar, depth + 1);
		}
		if (all.length <= most) return;
		body.append(make("tr", {}, make("td", { colSpan: 6 }, `and ${all.length - most} more`)));
	};

	const write = () => {
		if (box.hidden) return;
		grow();
		body.replaceChildren();
		add(null, 0);
	};

	const makeBox = () => {
		const titles = ["Program", "Process", "Started after", "Lived for", "CPU time", "of those below"];
		body = make("tbody");
		box = make("div", { className: "tree", tabIndex: 0, hidden: true }, make("table", {},
			make("thead", {}, make("tr", {}, ...titles.map((title, i) => make("th", { scope: "col", className: i > 0 ? "number" : "" }, title)))), body));
	};

	const find = (value) => {
		text = value.trim().toLowerCase();
		timeline.search((bar) => text === "" || matches(bar));
		for (const row of document.querySelectorAll(".commands tr[data-program]")) {
			row.classList.toggle("unfound", text !== "" && !row.cells[0].textContent.toLowerCase().includes(text));
		}
		write();
	};

	// Makes the search box and the button in the caption of the timeline.
	const search = (figure) => {
		const input = make("input", { type: "search", placeholder: "Search programs", "aria-label": "Search programs, in the timeline, the tree and the table" });
		const button = makeButton("Show tree", () => {
			box.hidden = !box.hidden;
			button.setAttribute("aria-pressed", String(!box.hidden));
			write();
		}, { "aria-pressed": "false" });
		makeBox();
		input.addEventListener("input", () => find(input.value));
		figure.querySelector(".plot").after(box);
		return make("p", { className: "find" }, input, button);
	};

	return { search, find };
})();
