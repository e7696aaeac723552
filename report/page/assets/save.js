// SPDX-License-Identifier: Apache-2.0
// Saves a chart as a picture (SVG, PNG) of the visible range with title and legend, or its points as CSV.
//
// The SVG is built from the chart's drawing; the PNG is that SVG at double size. Nothing is sent over the network.
"use strict";

const save = (() => {
	const escape = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
	const round = (value) => Number(value.toFixed(1));

	const hand = (blob, name) => {
		const link = make("a", { href: URL.createObjectURL(blob), download: name });
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 10000);
	};

	const nameOf = (plot, ending) => `${`${charts.data.job}-${plot.figure.dataset.chart}`.replace(/[^\w.-]+/g, "_").slice(-80)}.${ending}`;

	// Returns a CSV file with a row for each visible point and a column for each line. If a point represents many
	// ticks, the minimum and maximum are included.
	const csv = (plot) => {
		const [from, to] = charts.view();
		const lines = plot.lines.filter(({ value }) => value === undefined);
		const columns = lines.flatMap((line) => [[line.label, line.values], ...(line.high ? [[`${line.label}, least`, line.low], [`${line.label}, greatest`, line.high]] : [])]);
		const quote = (text) => `"${(/^[=+@-]/.test(text) ? "'" : "") + text.replace(/"/g, '""')}"`;
		const cell = (value) => (value === null ? "" : String(Number(value.toPrecision(6))));
		const rows = charts.time.map((at, i) => [at, i]).slice(charts.added).filter(([at]) => at >= from && at <= to)
			.map(([at, i]) => [Number(at.toFixed(3)), charts.dateAt(at).toISOString(), ...columns.map(([, values]) => cell(values[i]))].join());
		return `${['"seconds"', '"time"', ...columns.map(([label]) => quote(label))].join()}\n${rows.join("\n")}\n`;
	};

	const path = (xs, ys, place) => {
		let text = "", pen = "M";
		ys.forEach((y, i) => {
			if (y === null || y === undefined) {
				pen = "M";
				return;
			}
			text += `${pen}${place(xs[i], y)}`;
			pen = "L";
		});
		return text;
	};

	// Returns the path of an area between two rows of values, or between a row of values and 0.
	const area = (xs, ys, under, place) => {
		const known = xs.map((x, i) => [x, ys[i], under ? under[i] : 0]).filter(([, y]) => y !== null && y !== undefined);
		if (known.length === 0) return "";
		const there = known.map(([x, y]) => place(x, y)), back = known.reverse().map(([x, , y]) => place(x, y));
		return `M${[...there, ...back].join("L")}Z`;
	};

	const svg = (plot) => {
		const { chart, lines } = plot;
		const [xs, ...rows] = chart.data;
		const wide = 760, high = 300, left = 84, right = 30, lineHeight = 18;
		const shown = [...lines.filter((line) => line.shown && !line.stacked), ...lines.filter((line) => line.shown && line.stacked).reverse()];
		const color = (line) => (line.color === "unknown" ? charts.style("--machine") : charts.style(`--${line.color}`));
		const { min, max } = chart.scales.y;
		const [from, to] = charts.view();
		const entries = [];
		let x = 20, y = 48;
		for (const line of shown) {
			const text = `${line.label}  ${line.said.textContent}`, room = 26 + text.length * 6.3;
			if (x > 20 && x + room > wide) [x, y] = [20, y + lineHeight];
			entries.push(`<rect x="${x}" y="${y - 8}" width="11" height="${line.stacked ? 9 : 3}" fill="${color(line)}"/><text x="${x + 17}" y="${y}">${escape(text)}</text>`);
			x += room + 10;
		}
		const top = y + 22, bottom = top + high;
		const place = (at, value) => `${round(left + (at - from) / (to - from) * (wide - left - right))} ${round(bottom - (value - min) / (max - min) * high)}`;
		const drawn = lines.map((line, i) => {
			if (!line.shown) return "";
			if (line.stacked) return `<path d="${area(xs, rows[i], null, place)}" fill="${line.color === "unknown" ? "url(#unknown)" : color(line)}"/>`;
			const at = lines.length + 2 * lines.filter((other) => !other.stacked && other.value === undefined).indexOf(line);
			const band = line.value === undefined ? `<path d="${area(xs, rows[at], rows[at + 1], place)}" fill="${color(line)}" fill-opacity=".3"/>` : "";
			return `${band}<path d="${path(xs, rows[i], place)}" fill="none" stroke="${color(line)}" stroke-width="${line.dash ? 1.25 : 1.75}"${line.dash ? ' stroke-dasharray="5 4"' : ""}/>`;
		});
		const [along, up] = chart.axes;
		const texts = (axis, write) => axis._splits.map((at, i) => [at, axis._values[i]]).filter(([at, text]) => at !== null && text).map(write).join("");
		const grid = texts(up, ([at, text]) => `<path d="M${place(from, at)}L${place(to, at)}" stroke="${charts.style("--grid")}"/><text x="${left - 8}" y="${place(from, at).split(" ")[1]}" dy="4" text-anchor="end">${escape(text)}</text>`) +
			texts(along, ([at, text]) => `<text x="${place(at, min).split(" ")[0]}" y="${bottom + 18}" text-anchor="middle">${escape(text)}</text>`);
		const hatch = `<pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="${charts.style("--machine")}"/></pattern>`;
		const title = `${charts.data.job.slice(0, 60)}: ${plot.figure.querySelector("h3").textContent}`;
		const since = charts.dateAt(0).toISOString().replace(/\.\d+/, "");
		return {
			wide, high: bottom + 40,
			text: `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${bottom + 40}" viewBox="0 0 ${wide} ${bottom + 40}" font-family="sans-serif" font-size="12" fill="${charts.style("--muted")}">` +
				`<defs>${hatch}<clipPath id="plot"><rect x="${left}" y="${top}" width="${wide - left - right}" height="${high}"/></clipPath></defs><rect width="100%" height="100%" fill="${charts.style("--card")}"/>` +
				`<text x="20" y="24" font-size="15" font-weight="600" fill="${charts.style("--text")}">${escape(title)}</text>${entries.join("")}${grid}` +
				`<g clip-path="url(#plot)">${drawn.join("")}</g><text x="20" y="${bottom + 34}" font-size="10">started ${since}; rtrack ${escape(charts.data.run)}</text></svg>`,
		};
	};

	const png = (plot) => {
		const made = svg(plot), fine = 2;
		const image = new Image();
		image.addEventListener("load", () => {
			const canvas = document.createElement("canvas");
			[canvas.width, canvas.height] = [made.wide * fine, made.high * fine];
			const context = canvas.getContext("2d");
			context.scale(fine, fine);
			context.drawImage(image, 0, 0);
			canvas.toBlob((blob) => hand(blob, nameOf(plot, "png")), "image/png");
		});
		image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(made.text)}`;
	};

	const buttons = (plot) => {
		const kinds = {
			PNG: () => png(plot),
			SVG: () => hand(new Blob([svg(plot).text], { type: "image/svg+xml" }), nameOf(plot, "svg")),
			CSV: () => hand(new Blob([csv(plot)], { type: "text/csv" }), nameOf(plot, "csv")),
		};
		return make("p", { className: "save" }, make("span", {}, "Save as"), ...Object.entries(kinds).map(([kind, action]) => makeButton(kind, action)));
	};

	return { buttons, csv, svg };
})();
