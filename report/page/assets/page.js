// SPDX-License-Identifier: Apache-2.0
// Everything except charts: local times, copying of request lines, and folded and sortable tables.
"use strict";

const thisYear = (time) => (time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" });

for (const element of document.querySelectorAll("time[datetime]")) {
	const utc = element.textContent;
	const local = new Date(element.dateTime);
	const short = element.classList.contains("short"); // an entry of a list; the page's head shows the date
	element.textContent = local.toLocaleString(undefined, short ? { ...(charts.data.duration > 43200 ? { dateStyle: "medium" } : {}), timeStyle: "medium" } : { ...thisYear(local), month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
	element.title = utc;
}

// Moves the content of an element into a new button inside the element. Returns the button.
const wrap = (element, action, properties) => {
	const button = makeButton("", action, properties);
	button.append(...element.childNodes);
	element.append(button);
	return button;
};

// Returns a function that copies lines, and confirms this on the button for two seconds. The function returns true if
// the browser allowed copying.
const copier = (button) => {
	const name = button.textContent;
	button.setAttribute("aria-live", "polite");
	return async (lines) => {
		let copied = true;
		try {
			await navigator.clipboard.writeText(lines.textContent);
		} catch { // some browsers forbid this for local files; the selected lines can then be copied by key
			getSelection().selectAllChildren(lines);
			copied = false;
		}
		button.textContent = copied ? "Copied" : "Selected";
		setTimeout(() => { button.textContent = name; }, 2000);
		return copied;
	};
};

// Shows the lines of one tool, with a list to choose the tool and a button to copy the lines. The first tool is the one
// that started the run. If no tool started the run, the first tool is the one that the reader last chose on any page.
for (const asks of document.querySelectorAll(".asks")) {
	const all = [...asks.querySelectorAll(".ask")];
	if (all.length === 0) continue;
	const names = all.map((ask) => ask.querySelector("h3").textContent);
	const list = make("select", { "aria-label": "Tool" }, ...names.map((name) => make("option", {}, name)));
	const choose = (name) => {
		list.value = name;
		all.forEach((ask, i) => ask.classList.toggle("shown", names[i] === name));
	};
	// Some browsers forbid localStorage in pages that are local files.
	const remember = (name) => {
		try {
			if (name) localStorage.rtrackTool = name;
			return localStorage.rtrackTool;
		} catch { return null; }
	};
	list.addEventListener("change", () => choose(remember(list.value) ?? list.value));
	const copy = makeButton("Copy", () => copyLines(asks.querySelector(".shown pre")), { className: "copy" });
	const copyLines = copier(copy);
	asks.replaceChildren(make("div", { className: "choices" }, list, copy), ...all);
	asks.classList.add("chosen");
	const last = remember();
	choose(asks.dataset.own === undefined && names.includes(last) ? last : names[0]);
}

// Opens folded sections for printing, and a folded section that a link leads to.
const foldedSections = [...document.querySelectorAll(".section > details")];
const openTarget = () => document.querySelector(`${location.hash || "#usage"} > details`)?.setAttribute("open", "");
addEventListener("hashchange", openTarget);
openTarget();
let opened = [];
addEventListener("beforeprint", () => {
	opened = foldedSections.filter((section) => !section.open);
	for (const section of opened) section.open = true;
});
addEventListener("afterprint", () => { for (const section of opened) section.open = false; });

const shownOfMany = 12; // rows shown of a longer table, until the reader expands it

// Folds a long table: of the rows for which `counts` is true, only the first ones are shown. Other rows are always
// shown. Returns a function that folds the table again after sorting.
const foldable = (table, noun, counts) => {
	const { rows } = table.tBodies[0];
	const all = [...rows].filter(counts).length;
	let folded = all > shownOfMany + 2;
	const fold = () => {
		let seen = 0;
		for (const row of rows) row.classList.toggle("folded", folded && counts(row) && ++seen > shownOfMany);
	};

	if (!folded) return fold;
	const say = () => { button.textContent = folded ? `Show all ${all} ${noun}` : "Show fewer"; };
	const button = makeButton("", () => {
		folded = !folded;
		say();
		fold();
	}, { className: "unfold" });
	table.parentElement.after(button);
	say();
	fold();
	return fold;
};

for (const table of document.querySelectorAll(".marks table")) foldable(table, "marks", () => true);

for (const table of document.querySelectorAll("table.sortable")) {
	const headings = [...table.tHead.rows[0].cells];
	// Rows that belong to no program, such as usage in no record, are always visible.
	const fold = foldable(table, "programs", (row) => row.dataset.program !== undefined);

	const sort = (column) => {
		sortRows(table, column, headings[column].classList.contains("number"));
		fold();
	};

	headings.forEach((heading, column) => {
		const button = wrap(heading, () => sort(column), {});
		// Chromium does not repeat a heading that contains a button on the next printed page.
		addEventListener("beforeprint", () => button.replaceWith(...button.childNodes));
		addEventListener("afterprint", () => {
			button.append(...heading.childNodes);
			heading.append(button);
		});
	});
}

// A click on a program in the bill highlights it in the stacks and the timeline; another click resets it.
const picks = [...document.querySelectorAll(".commands tr[data-program]")].map((row) => {
	const program = Number(row.dataset.program);
	const name = row.querySelector(".name span");
	const button = wrap(name, null, { className: "pick", title: name.textContent });
	row.addEventListener("click", (event) => {
		if (event.target.closest("code")) return; // leaves code selectable for copying
		charts.choose(charts.chosen() === program ? null : program);
	});
	return { program, button };
});

const showChoice = () => picks.forEach(({ program, button }) => {
	button.setAttribute("aria-pressed", String(program === charts.chosen()));
});

charts.follow(showChoice);
showChoice();

// A click on a phase zooms to it; another click shows everything again.
for (const row of document.querySelectorAll(".phases tr[data-start]")) {
	const [from, to] = [Number(row.dataset.start), Number(row.dataset.stop)];
	wrap(row.querySelector(".name"), null, { className: "pick", title: "Show in the charts" });
	row.addEventListener("click", () => {
		const [left, right] = charts.view();
		if (Math.abs(left - from) + Math.abs(right - to) < (to - from) / 100) charts.reset();
		else charts.show(from, to);
		document.getElementById("usage").scrollIntoView({ block: "start" });
	});
}

addEventListener("beforeprint", later.finish);
charts.begin();
later.begin([...[...document.querySelectorAll("figure[data-chart], #timeline")].map((figure) => (figure.id === "timeline" ? timeline.begin : () => charts.prepare(figure))), ...(typeof flame === "undefined" ? [] : [flame.begin])]);
