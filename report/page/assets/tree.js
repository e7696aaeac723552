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
		const row = document.createElement("tr");
		const name = document.createElement("th");
		const under = (children.get(bar) ?? []).length;
		name.scope = "row";
		name.style.paddingLeft = `${Math.min(depth, 20) * 16}px`;
		if (under > 0) {
			const fold = document.createElement("button");
			fold.type = "button";
			fold.textContent = open.has(bar) || text ? "▾" : "▸";
			fold.setAttribute("aria-expanded", String(open.has(bar) || text !== ""));
			fold.setAttribute("aria-label", `${timeline.nameOf(bar.program)} ${bar.pid}, ${under} started`);
			fold.addEventListener("click", () => {
				if (!open.delete(bar)) open.add(bar);
				write();
			});
			name.append(fold);
		} else {
			const leaf = document.createElement("span");
			leaf.className = "leaf";
			name.append(leaf);
		}
		name.append(timeline.nameOf(bar.program));
		name.title = timeline.nameOf(bar.program);
		row.classList.toggle("found", text !== "" && matches(bar));
		row.append(name);
		for (const figure of [bar.pid, units.duration(bar.from), units.lived(bar.to - bar.from), bar.unknown ? "–" : units.duration(bar.cpu), under > 0 ? units.duration(below(bar)) : ""]) {
			const cell = document.createElement("td");
			cell.className = "number";
			cell.textContent = figure;
			row.append(cell);
		}
		return row;
	};

	const add = (parent, depth) => {
		const all = (children.get(parent) ?? []).filter((bar) => text === "" || holds(bar));
		for (const bar of all.slice(0, most)) {
			body.append(rowOf(bar, depth));
			if (text !== "" || open.has(bar)) add(bar, depth + 1);
		}
		if (all.length <= most) return;
		const row = body.insertRow(), cell = row.insertCell();
		cell.colSpan = 6;
		cell.textContent = `and ${all.length - most} more`;
	};

	const write = () => {
		if (box.hidden) return;
		grow();
		body.replaceChildren();
		add(null, 0);
	};

	const make = () => {
		const table = document.createElement("table"), head = table.createTHead().insertRow();
		for (const [i, title] of ["Program", "Process", "Started after", "Lived for", "CPU time", "of those below"].entries()) {
			const cell = document.createElement("th");
			cell.scope = "col";
			if (i > 0) cell.className = "number";
			cell.textContent = title;
			head.append(cell);
		}
		body = table.createTBody();
		box = document.createElement("div");
		box.className = "tree";
		box.tabIndex = 0;
		box.hidden = true;
		box.append(table);
	};

	const find = (value) => {
		text = value.trim().toLowerCase();
		timeline.search((bar) => text === "" || matches(bar));
		for (const row of document.querySelectorAll(".commands tr[data-program]")) {
			row.classList.toggle("unfound", text !== "" && !row.cells[0].textContent.toLowerCase().includes(text));
		}
		write();
	};

	// The search box and the button in the caption of the timeline.
	const search = (figure) => {
		const row = document.createElement("p"), input = document.createElement("input"), button = document.createElement("button");
		make();
		row.className = "find";
		input.type = "search";
		input.placeholder = "Search programs";
		input.setAttribute("aria-label", "Search programs, in the timeline, the tree and the table");
		input.addEventListener("input", () => find(input.value));
		button.type = "button";
		button.textContent = "Show tree";
		button.setAttribute("aria-pressed", "false");
		button.addEventListener("click", () => {
			box.hidden = !box.hidden;
			button.setAttribute("aria-pressed", String(!box.hidden));
			write();
		});
		row.append(input, button);
		figure.querySelector(".plot").after(box);
		return row;
	};

	return { search, find };
})();
