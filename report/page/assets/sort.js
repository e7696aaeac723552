// SPDX-License-Identifier: Apache-2.0
// Sorts tables, in the pages of runs and in the index of a site.
"use strict";

// Sorts the rows of a table by a column. Numbers are sorted by their data-value, the largest first; times and texts in
// ascending order. A second call for the same column reverses the order.
const sortRows = (table, column, numeric) => {
	const body = table.tBodies[0], headings = [...table.tHead.rows[0].cells], heading = headings[column];
	const down = heading.ariaSort ? heading.ariaSort === "ascending" : numeric;
	const value = (cell) => (numeric ? Number(cell.dataset.value || -1) : cell.querySelector("time")?.dateTime ?? cell.textContent.toLowerCase());
	const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
	rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
	// Rows are moved outside the document, so that the browser does not restyle their neighbours for each move.
	const next = body.nextSibling;
	body.remove();
	body.append(...rows.map(([, row]) => row));
	table.insertBefore(body, next);
	for (const other of headings) other.removeAttribute("aria-sort");
	heading.ariaSort = down ? "descending" : "ascending";
};
