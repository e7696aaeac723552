// What is not a chart: times in the reader's own zone, and tables that sort.
"use strict";

for (const element of document.querySelectorAll("time[datetime]")) {
	const utc = element.textContent;
	const local = new Date(element.dateTime);
	element.textContent = local.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
	element.title = utc;
}

for (const table of document.querySelectorAll("table.sortable")) {
	const body = table.tBodies[0];
	const headings = [...table.tHead.rows[0].cells];

	const sort = (column) => {
		const heading = headings[column];
		const numeric = heading.classList.contains("number");
		const down = heading.ariaSort ? heading.ariaSort === "ascending" : numeric;
		const value = (row) => {
			const cell = row.cells[column];
			return numeric ? Number(cell.dataset.value || -1) : cell.textContent.toLowerCase();
		};
		const rows = [...body.rows].map((row) => [value(row), row]);
		rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
		body.append(...rows.map(([, row]) => row));
		headings.forEach((other) => other.removeAttribute("aria-sort"));
		heading.ariaSort = down ? "descending" : "ascending";
	};

	headings.forEach((heading, column) => {
		const button = document.createElement("button");
		button.type = "button";
		button.append(...heading.childNodes);
		button.addEventListener("click", () => sort(column));
		heading.append(button);
	});
}

charts.begin();
