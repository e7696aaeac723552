// SPDX-License-Identifier: Apache-2.0
// The times of a site are shown in the time zone of the reader. In its tables, a click on a heading sorts the rows, and a
// text filters them. All rows are sorted and searched, but only the first MOST rows are shown until the reader asks for
// all rows: the layout of 20,000 rows takes seconds.
"use strict";

const MOST = 500;

const clock = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
for (const time of document.querySelectorAll("time[datetime]")) {
	time.title = time.textContent;
	time.textContent = clock.format(new Date(time.dateTime));
}
document.getElementById("zone")?.replaceChildren("Times are in your time zone.");

for (const table of document.querySelectorAll(".wide table")) {
	const body = table.tBodies[0];
	const headings = [...table.tHead.rows[0].cells];
	const hasNumbers = body.querySelector("[data-value]") !== null;

	const list = document.createElement("input");
	const label = document.createElement("label");
	const count = document.createElement("span");
	const more = document.createElement("div");
	const all = document.createElement("button");
	let most = MOST;

	// Shows the first rows that contain all words of the search.
	const show = () => {
		const words = list.value.toLowerCase().split(" ").filter((word) => word !== "");
		let found = 0;
		for (const row of body.rows) {
			const text = row.textContent.toLowerCase();
			const fits = words.every((word) => text.includes(word));
			found += fits;
			row.hidden = !fits || found > most;
		}
		count.textContent = words.length > 0 ? `${found} of ${body.rows.length}` : "";
		all.hidden = found <= most;
		all.textContent = `Show all ${found} rows`;
	};

	headings.forEach((heading, column) => {
		const numeric = heading.classList.contains("number");
		if (!heading.textContent || (numeric && !hasNumbers)) return;
		const button = document.createElement("button");
		button.type = "button";
		button.append(...heading.childNodes);
		button.addEventListener("click", () => {
			sortRows(table, column, numeric);
			show();
		});
		heading.append(button);
	});

	list.type = "search";
	list.addEventListener("input", show);
	all.type = "button";
	all.addEventListener("click", () => {
		most = Infinity;
		show();
	});
	count.setAttribute("role", "status");
	label.className = "find";
	label.append("Search", list, count);
	more.className = "find";
	more.append(all);
	table.parentElement.before(label);
	table.parentElement.after(more);
	show();
}
