// SPDX-License-Identifier: Apache-2.0
// The charts: one for each <figure data-chart>, all with the same time axis, cursor and zoom.
//
// The data are thinned (docs/report.md) and encoded. A line is {step, d}, where d has differences in units of `step`.
// Of thinned ticks, d has the means, and low and high have the minima and maxima. If there are more points than pixels,
// groups of points are drawn as one: a line of their mean in a pale band from minimum to maximum. Colours come from the
// style sheet, so charts are simply rebuilt when the colour scheme changes or the page is printed.
"use strict";

const charts = (() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const plots = [];
	const followers = []; // called on every change of the visible time range or of the chosen program
	const pointed = []; // called with the time under the cursor, or null
	let chosen = null; // the program that the reader chose in the bill or in the timeline, or null
	const printWidth = 322, printHeight = 150; // two charts side by side on A4 with the margins of page.css
	const printFine = 3; // page.css has the inverse

	// Decodes the integers that markup_write_number() in report/say/markup.c encodes. An unknown point becomes
	// null.
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const numbers = (coded) => {
		const found = [];
		let number = 0, scale = 1, again = false;
		for (const character of coded) {
			const digit = alphabet.indexOf(character);
			if (character === "~") {
				again = true; // the following number is a repeat count
				continue;
			}
			number += (digit % 32) * scale;
			scale *= 32;
			if (digit >= 32) continue;
			const value = digit < 0 ? null : number % 2 === 1 ? -(number + 1) / 2 : number / 2;
			if (again) found.push(...Array(value).fill(found.at(-1)));
			else found.push(value);
			[number, scale, again] = [0, 1, false];
		}
		return found;
	};

	const decode = (step, d) => {
		let sum = 0;
		return numbers(d).map((change) => (change === null ? null : (sum += change) * step));
	};

	// The values of the first tick are also used at the start of the run, so that lines begin there.
	const ticked = decode(data.time.step, data.time.d);
	const added = ticked[0] > 0 ? 1 : 0;
	const begun = (values) => {
		// the first row of a table may be one point later than the first row of the other table
		const at = values.findIndex((value) => value !== null);
		return added && at === 1 ? [values[1], values[1], ...values.slice(1)] : [...values.slice(0, added), ...values];
	};
	const time = added ? [0, ...ticked] : ticked;

	const decodeLine = ({ step, d, edge, low, high, ...line }) => ({
		...line, values: begun(decode(step, d)), ...(low ? { low: begun(decode(edge, low)), high: begun(decode(edge, high)) } : {}),
	});

	const lasted = time.map((at, i) => Math.max(at - (i > 0 ? time[i - 1] : 0), 1e-6));
	const full = [0, Math.max(data.duration, time.length > 0 ? time[time.length - 1] : 0, 0.001)];
	let view = full;

	const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

	const clock = new Intl.DateTimeFormat(undefined, {
		...(data.duration > 43200 ? { month: "short", day: "numeric" } : {}),
		hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short",
	});

	// The axis shows the time since the start of the run. The reader can switch to local time.
	let clockwise = false;
	const dateAt = (at) => new Date((data.start + at) * 1000);
	const zone = clock.formatToParts(dateAt(0)).find(({ type }) => type === "timeZoneName").value;
	const shift = () => (clockwise ? data.start - dateAt(0).getTimezoneOffset() * 60 : 0);

	// Returns the multiples of `step` in the time that the axis shows.
	const ticks = (from, to, step) => {
		const first = Math.ceil((from + shift()) / step - 1e-6);
		return Array.from({ length: Math.max(0, Math.floor((to + shift()) / step + 1e-6) - first + 1) }, (_, i) => (first + i) * step - shift());
	};

	const tickText = (at, step) => {
		if (!clockwise) return units.elapsed(tidy(at), step);
		const parts = step >= 86400 ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(step < 60 ? { second: "2-digit" } : {}) };
		return dateAt(at).toLocaleString(undefined, { ...parts, ...(step < 1 ? { fractionalSecondDigits: 3 } : {}) });
	};

	// Returns the minimum distance between axis labels. It depends on the length of a label.
	const labelSpace = (from, to) => Math.max(72, tickText(to, (to - from) / 5).length * 6 + 8);

	// Shows the visible time range, the whole duration, and the time zone of the clock.
	const saySpan = () => {
		const whole = view[0] <= full[0] && view[1] >= full[1];
		const text = (at) => (clockwise ? clock.format(dateAt(at)) : units.elapsed(tidy(at)));
		document.getElementById("span").textContent = whole ? (clockwise ? `Clock: ${zone}` : "")
			: `Shown: ${text(view[0])} to ${text(view[1])}, ${units.duration(view[1] - view[0])} of ${units.duration(full[1])}`;
	};

	// Shows the same time range in every chart.
	const show = (min, max) => {
		const span = Math.max(max - min, (full[1] - full[0]) / 1e5);
		min = Math.max(full[0], Math.min(min, full[1] - span));
		view = [min, Math.min(full[1], min + span)];
		document.getElementById("reset").hidden = view[0] <= full[0] && view[1] >= full[1];
		for (const plot of plots) {
			plot.chart.setData(series(plot), false);
			plot.chart.setScale("x", { min: view[0], max: view[1] });
			sayNotes(plot);
		}
		saySpan();
		for (const follow of followers) follow();
	};

	const reset = () => show(full[0], full[1]);

	// If there are more points per pixel than this, neighbouring points are drawn as a group. A group has a mean,
	// a minimum and a maximum.
	const placesPerPixel = 0.5;

	const groups = (width) => {
		const first = Math.max(0, time.findLastIndex((at) => at < view[0]));
		const after = time.findIndex((at) => at > view[1]);
		const end = after < 0 ? time.length : after + 1;
		const size = Math.max(1, Math.ceil((end - first) / (width * placesPerPixel)));
		const found = [];
		for (let from = first - first % size; from < end; from += size) found.push([from, Math.min(from + size, time.length)]);
		return found;
	};

	const gather = ({ values, low = values, high = values }, [from, end]) => {
		let sum = 0, span = 0, least = Infinity, greatest = -Infinity;
		for (let i = from; i < end; i++) {
			if (values[i] === null) continue;
			sum += values[i] * lasted[i];
			span += lasted[i];
			least = Math.min(least, low[i], values[i]);
			greatest = Math.max(greatest, high[i], values[i]);
		}
		return span > 0 ? { mean: end - from === 1 ? values[from] : sum / span, least, greatest } : null;
	};

	const ranges = (line) => !line.stacked && line.value === undefined;

	// Draws a stack from its top band down. Each band is an area from 0 to its upper edge, and covers the lower
	// part of the band above it, so areas need no holes. Hidden bands are not part of the sum.
	const stack = (plot) => {
		let below = plot.groups.map(() => 0);
		for (const line of plot.lines.filter(({ stacked, shown }) => stacked && shown).reverse()) {
			below = below.map((sum, i) => (line.parts[i] === null ? null : sum + line.parts[i].mean));
			line.drawn = below;
		}
	};

	// Returns the drawn values of all lines, in the order of uPlot's series.
	const series = (plot) => {
		plot.groups = groups(plot.common);
		for (const line of plot.lines) {
			line.parts = plot.groups.map((group) => gather(line, group));
			line.drawn = line.parts.map((part) => part && part.mean);
		}
		if (plot.others) plot.others.parts = plot.groups.map((group) => gather(plot.others, group));
		stack(plot);
		// A part of the job's memory, such as file pages, is drawn as a pale band below the job's line.
		for (const line of plot.lines.filter(({ part }) => part)) {
			const { drawn } = plot.lines.find(({ label }) => label === "Job");
			line.top = line.parts.map((part, i) => (part && drawn[i] !== null ? drawn[i] : null));
			line.drawn = line.parts.map((part, i) => (part && drawn[i] !== null ? Math.max(0, drawn[i] - part.mean) : null));
		}
		const banded = (line) => line.high !== undefined || plot.groups.some(([from, end]) => end - from > 1);
		const edge = (line, name) => line.part ? (name === "greatest" ? line.top : line.drawn) : line.parts.map((part) => (banded(line) && part ? part[name] : null));
		return [
			plot.groups.map(([from, end]) => (time[from] + time[end - 1]) / 2), ...plot.lines.map(({ drawn }) => drawn),
			...plot.lines.filter(ranges).flatMap((line) => [edge(line, "greatest"), edge(line, "least")]),
		];
	};

	const figureAt = (plot, line, index) => {
		const { format } = plot.unit;
		const part = line.parts[index];
		if (!part) return "";
		if (!ranges(line)) return format(part.mean);
		const [least, greatest] = [format(part.least), format(part.greatest)];
		return least === greatest ? least : `${least} – ${greatest}`;
	};

	// Returns the mean and peak of a line in the visible range. For the whole range, returns the figures of the
	// report, because they include every tick.
	const noteOf = (plot, line) => {
		const { format } = plot.unit;
		if (line.value !== undefined || (!line.stacked && view[0] <= full[0] && view[1] >= full[1])) return line.note;
		const from = time.findIndex((at) => at >= view[0]), end = time.findLastIndex((at) => at <= view[1]) + 1;
		const all = from < 0 ? null : gather(line, [from, Math.max(end, from + 1)]);
		if (all === null) return "";
		if (line.stacked) return `mean ${format(all.mean)}`;
		const seconds = Math.min(view[1], time.at(-1)) - view[0];
		const first = !line.total ? `mean ${format(all.mean)}` : plot.unit === units.rate ? units.bytes.format(all.mean * seconds) : units.duration(all.mean * seconds / (plot.unit === units.percent ? 100 : 1));
		return `${first}, peak ${format(all.greatest)}`;
	};

	// Returns the lines that have a row in the legend.
	const keyed = (plot) => (plot.others ? [...plot.lines, plot.others] : plot.lines);

	const sayNotes = (plot) => keyed(plot).forEach((line) => { line.said.textContent = noteOf(plot, line); });

	// Sets the cursor of all charts to the same time. The first chart then calls the functions in `pointed`.
	const point = (at) => {
		for (const { chart } of plots) chart.setCursor({ left: at === null ? -10 : chart.valToPos(at, "x"), top: 0 });
		if (plots.length === 0) pointed.forEach((call) => call(at));
	};

	const readout = (plot, index) => {
		const known = index !== null && index !== undefined;
		const at = known ? plot.chart.data[0][index] : 0;
		plot.readout.textContent = known ? `${units.elapsed(tidy(at))} · ${clock.format(dateAt(at))}` : "";
		keyed(plot).forEach((line) => {
			line.output.textContent = known ? figureAt(plot, line, index) : "";
			line.key.classList.toggle("live", known);
		});
		showTip(plot, known ? index : null);
	};

	// Shows the values at the cursor as a tooltip, but only in the chart under the pointer.
	const showTip = (plot, index) => {
		const { tip, chart, target } = plot;
		tip.hidden = index === null || !target.matches(":hover");
		if (tip.hidden) return;
		const named = plot.lines.filter((line) => line.shown && line.value === undefined && !folds(plot, line));
		const rows = [...named, ...(plot.others && !plot.large ? [plot.others] : [])].map((line) => make("span", {},
			line.key.firstChild.cloneNode(), make("span", {}, line.label), make("b", {}, line.output.textContent || "not known")));
		tip.replaceChildren(make("b", {}, units.elapsed(tidy(chart.data[0][index]))), ...rows);
		const left = chart.bbox.left / devicePixelRatio + chart.cursor.left;
		const room = target.clientWidth - tip.offsetWidth;
		tip.style.left = `${left + 14 <= room ? left + 14 : Math.max(0, left - 14 - tip.offsetWidth)}px`;
		tip.style.top = `${Math.max(0, Math.min(chart.cursor.top, target.clientHeight - 40))}px`;
	};

	const tidy = (at) => Number(at.toFixed(3));

	// Mixes two colours of the form #rrggbb, because canvases of older browsers lack color-mix().
	const mix = (from, to, part) => `#${[1, 3, 5].map((at) => {
		const [a, b] = [from, to].map((color) => parseInt(color.slice(at, at + 2), 16));
		return Math.round(a + (b - a) * part).toString(16).padStart(2, "0");
	}).join("")}`;

	// Usage in no record is hatched, because it is neither idle time nor the usage of any program.
	const hatch = (fine) => {
		const side = 6 * fine;
		const tile = document.createElement("canvas");
		tile.width = tile.height = side;
		const context = tile.getContext("2d");
		context.fillStyle = style("--card");
		context.fillRect(0, 0, side, side);
		context.strokeStyle = style("--machine");
		context.lineWidth = fine;
		for (const shift of [-side, 0, side]) {
			context.moveTo(shift, side);
			context.lineTo(shift + side, 0);
		}
		context.stroke();
		return context.createPattern(tile, "repeat");
	};

	// A strip shows three programs in distinct colours. The other programs are grey until the chart is enlarged.
	const folds = (plot, line) => line.folded && !plot.large;

	const band = (plot, line, fine) => {
		if (line.color === "unknown") return () => hatch(fine);
		const color = style(folds(plot, line) && chosen !== line.program ? "--rest0" : `--${line.color}`);
		return chosen === null || chosen === line.program ? color : mix(color, style("--card"), 0.82);
	};

	const stepped = uPlot.paths.stepped({ align: -1 });

	// `fine` is the number of canvas pixels per page pixel. Paper has a higher resolution than the screen, so
	// charts are drawn larger and the style sheet scales them down.
	// A strip that is neither enlarged nor printed is low. A low strip between two others uses their time axes.
	const isLow = (plot, fine) => plot.strip && fine === 1 && !plot.large;
	const isBetween = (plot, fine) => isLow(plot, fine) && !plot.first && !plot.last;

	const axesOf = (plot, fine) => {
		const between = isBetween(plot, fine);
		const axis = {
			stroke: style("--muted"),
			font: `${12 * fine}px ${style("--font")}`,
			grid: { stroke: style("--grid"), width: fine },
			ticks: { stroke: style("--grid"), width: fine, size: 4 * fine },
		};
		return [
			{
				...axis, incrs: units.timeSteps, space: (_, __, from, to) => labelSpace(from, to) * fine, size: (between ? 4 : plot.strip ? 26 : 32) * fine, gap: 4 * fine,
				splits: (_, __, from, to, step) => ticks(from, to, step),
				values: (_, at, __, ___, step) => at.map((each) => (between ? "" : tickText(each, step))),
			},
			{
				...axis, space: (plot.strip && !plot.large ? 26 : 34) * fine, size: 72 * fine, gap: 6 * fine,
				...(plot.unit.steps ? { incrs: plot.unit.steps } : {}),
				values: (_, at) => plot.unit.axis(at),
			},
		];
	};

	// Returns the series of uPlot: the time, each line, and then the bounds of each line that is drawn as a range.
	const seriesOf = (plot, fine) => {
		const paths = plot.sums ? stepped : undefined; // a sum over a tick is constant since the previous tick
		return [{}, ...plot.lines.map((line) => {
			const color = style(`--${line.color}`);
			if (line.stacked) {
				return {
					paths, stroke: style("--card"), show: line.shown, width: 0.5 * fine, fill: band(plot, line, fine),
					points: { show: time.length < 3, size: 6 * fine, fill: color || style("--machine") },
				};
			}
			return {
				paths: line.value === undefined ? paths : undefined, stroke: color, show: line.shown, width: (line.part || line.near === 0 && !line.dash ? 1 : line.dash ? 1.25 : 1.75) * fine,
				dash: line.dash ? [5 * fine, 4 * fine] : undefined,
				fill: line.filled ? `${color}26` : undefined,
				points: { show: time.length < 3, size: 6 * fine, fill: color },
			};
		}), ...plot.lines.filter(ranges).flatMap((line) => Array(2).fill({ paths, show: line.shown, width: 0, points: { show: false } }))];
	};

	const hooksOf = (plot, fine, named) => ({
		draw: [(chart) => {
			plot.labels = [];
			drawMoments(chart, fine, named);
			drawPlaces(plot, chart, fine);
			drawLevels(plot, chart, fine);
		}],
		setCursor: [(chart) => {
			const at = chart.cursor.left >= 0 ? chart.posToVal(chart.cursor.left, "x") : null;
			readout(plot, at === null ? null : chart.cursor.idx);
			if (plot === plots[0]) pointed.forEach((call) => call(at));
		}],
		setSelect: [(chart) => {
			const { left, width: wide } = chart.select;
			chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
			if (wide >= 3) show(chart.posToVal(left, "x"), chart.posToVal(left + wide, "x"));
		}],
	});

	const options = (plot, width, height, fine) => {
		const low = isLow(plot, fine);
		// the spans above the strips show the phases
		const named = !low ? moments : plot.first ? moments.filter(({ number }) => number) : [];
		return {
			width: width * fine, height: height * fine,
			// half of the last label extends beyond the end of the axis
			padding: [((named.length > 0 ? 17 : low ? 7 : 12) + plot.places.length * placeRow) * fine, beside(plot) * fine, 0, 0],
			legend: { show: false },
			cursor: {
				y: false,
				drag: { x: true, y: false, setScale: false },
				points: { size: (_, i) => (i <= plot.lines.length ? 7 : 0) },
				sync: {
					key: "rtrack", setSeries: false, scales: ["x", null],
					filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
				},
				bind: { dblclick: () => () => { reset(); return null; } },
			},
			scales: {
				x: { time: false, range: () => view },
				y: { range: (_, min, max) => [0, max > 0 ? uPlot.rangeNum(0, max, 0.08, true)[1] : 1] },
			},
			axes: axesOf(plot, fine),
			series: seriesOf(plot, fine),
			bands: plot.lines.filter(ranges).map((line, i) => ({
				series: [plot.lines.length + 1 + 2 * i, plot.lines.length + 2 + 2 * i], fill: line.part ? `${style("--card")}a6` : `${style(`--${line.color}`)}${line.color === "machine" ? "1f" : "4d"}`,
			})),
			hooks: hooksOf(plot, fine, named),
		};
	};

	// Dashed lines at the start of each phase and at each mark. A line has a name if there is enough space.
	const moments = [
		...data.phases.slice(1).map((at, i) => ({ at, name: `phase ${i + 2}`, short: `P${i + 2}`, color: "--muted" }))
			// omit the line of a phase near a mark, because the name of the mark is more informative
			.filter(({ at: begin }) => !data.marks.some(([at]) => Math.abs(begin - at) < full[1] / 50)),
		...data.marks.map(([at, name], i) => ({ at, name, number: `${i + 1} `, short: `${i + 1}`, color: "--mark" })),
	].sort((one, other) => one.at - other.at);
	const nameLength = 24;

	// Moments whose lines are too close share a label of numbers, such as "P2 2–5".
	const shared = (members) => {
		const phases = members.filter(({ number }) => !number), marks = members.filter(({ number }) => number);
		const range = marks.length > 1 ? [`${marks[0].short}–${marks.at(-1).short}`] : marks.map(({ short }) => short);
		const names = [phases.map(({ short }) => short), range];
		return (members[0].number ? names.reverse() : names).flat().join(" ");
	};

	const labelled = (chart, fine) => {
		const { ctx, bbox } = chart;
		const groups = [];
		for (const moment of moments) {
			const x = Math.round(chart.valToPos(moment.at, "x", true));
			if (x < bbox.left || x > bbox.left + bbox.width) continue;
			const last = groups.at(-1);
			if (last && x < last.x + ctx.measureText(last.short).width + 4 * fine) {
				last.members.push({ ...moment, x });
				last.short = shared(last.members);
			} else groups.push({ x, short: moment.short, members: [{ ...moment, x }] });
		}
		return groups;
	};

	// Draws a vertical line from `top` to the axis.
	const dropLine = ({ ctx, bbox }, x, top, color) => {
		ctx.strokeStyle = ctx.fillStyle = color;
		ctx.beginPath();
		ctx.moveTo(x, top);
		ctx.lineTo(x, bbox.top + bbox.height);
		ctx.stroke();
	};

	const drawMoments = (chart, fine, named) => {
		const { ctx, bbox } = chart;
		ctx.save();
		ctx.font = `${12 * fine}px ${style("--font")}`;
		ctx.textBaseline = "bottom";
		ctx.textAlign = "left";
		ctx.setLineDash([3 * fine, 3 * fine]);
		ctx.lineWidth = fine;
		const groups = labelled(chart, fine);
		for (const [i, { x: from, short, members }] of groups.entries()) {
			for (const { x, color } of members) dropLine(chart, x, bbox.top, style(color));
			if (!members.some(({ at }) => named.some((moment) => moment.at === at))) continue;
			// If the next label is near, only the number is shown. The lists of marks and phases use the
			// same numbers.
			const [{ name, number = "" }] = members;
			const long = number + (name.length > nameLength ? `${name.slice(0, nameLength - 1)}…` : name);
			const until = Math.min(bbox.left + bbox.width + 28 * fine, (groups[i + 1]?.x ?? Infinity) - 4 * fine);
			ctx.fillText(members.length === 1 && from + ctx.measureText(long).width <= until ? long : short, from, bbox.top);
		}
		ctx.restore();
	};

	// Widths in px of the space to the right of a chart, where the names and values of levels do not cover a curve.
	// In a narrow chart, the value is below the name.
	const besideWide = 118, besideNarrow = 76, wideLeast = 600;
	const isWide = (plot) => plot.width >= wideLeast;
	const namesLevels = (plot) => plot.lines.some(({ near }) => near === 0);
	const beside = (plot) => (!plots.concat(plot).some((other) => other.strip === plot.strip && namesLevels(other)) ? 30 : isWide(plot) ? besideWide : besideNarrow);

	const drawLevels = (plot, chart, fine) => {
		const { ctx, bbox } = chart, row = 13 * fine, gap = 3 * fine, left = bbox.left + bbox.width + 6 * fine;
		const labels = plot.lines.filter(({ near, shown }) => near === 0 && shown).map(({ label, note, value, where = [], color }) => {
			const name = label.toLowerCase(), rows = isWide(plot) ? [`${name} ${note}`] : [name, note];
			return { rows: [...rows, ...where], y: chart.valToPos(value, "y", true), color: style(`--${color}`) };
		}).sort((one, other) => one.y - other.y);
		// labels that would overlap are moved apart, within the height of the chart
		let free = bbox.top - row / 2, end = bbox.top + bbox.height + row / 2;
		for (const label of labels) {
			label.top = Math.max(free, label.y - row / 2);
			free = label.top + label.rows.length * row + gap;
		}
		for (const label of labels.toReversed()) {
			label.top = Math.min(label.top, end - label.rows.length * row);
			end = label.top - gap;
		}
		ctx.save();
		ctx.font = `${12 * fine}px ${style("--font")}`;
		ctx.textBaseline = "middle";
		ctx.textAlign = "left";
		for (const { rows, top, color } of labels) {
			ctx.fillStyle = color;
			for (const [i, text] of rows.entries()) {
				ctx.fillText(text, left, top + (i + 0.5) * row);
				plot.labels.push({ text, left, right: left + ctx.measureText(text).width, top: top + i * row, bottom: top + (i + 1) * row });
			}
		}
		ctx.restore();
	};

	// Draws labels that name the code line at a moment, such as the memory peak. Each label has a row of its own above
	// the curves, so labels do not overlap.
	const placeRow = 15;
	const drawPlaces = (plot, chart, fine) => {
		const { ctx, bbox } = chart, row = placeRow * fine, gap = 5 * fine;
		const end = bbox.left + bbox.width, first = bbox.top - plot.places.length * row;
		ctx.save();
		ctx.font = `${12 * fine}px ${style("--font")}`;
		ctx.textBaseline = "middle";
		ctx.textAlign = "left";
		for (const [i, [at, name, color]] of plot.places.entries()) {
			const x = Math.round(chart.valToPos(at, "x", true)), y = first + (i + 0.5) * row;
			if (x < bbox.left || x > end) continue;
			const room = Math.max(x - bbox.left, end - x) - gap;
			let text = name;
			while (text.length > 2 && ctx.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
			const wide = ctx.measureText(text).width, left = x + gap + wide <= end ? x + gap : x - gap - wide;
			ctx.lineWidth = fine;
			ctx.setLineDash([2 * fine, 2 * fine]);
			dropLine(chart, x, y, style(`--${color}`));
			ctx.fillText(text, left, y);
			ctx.beginPath();
			ctx.arc(x, y, 3 * fine, 0, 7);
			ctx.fill();
			plot.labels.push({ text, left, right: left + wide, top: y - row / 2, bottom: y + row / 2 });
		}
		ctx.restore();
	};

	// Returns the width of the narrowest visible chart. For a strip, excludes the legend beside it.
	const narrowest = () => Math.min(...[...document.querySelectorAll("figure[data-chart]:not(.large)")].filter(({ clientWidth }) => clientWidth > 0).map((figure) =>
		figure.clientWidth - (parseFloat(getComputedStyle(figure).getPropertyValue("--beside")) || 0)));

	// All charts share one cursor, so they have the same points. The narrowest chart limits how many.
	const draw = (plot) => {
		plot.chart?.destroy();
		const printing = document.documentElement.classList.contains("print");
		plot.width = printing ? printWidth : plot.target.clientWidth || printWidth; // a folded section has no width
		plot.common = printing ? printWidth : narrowest();
		const strip = plot.first || plot.last ? 148 : 124;
		const height = (printing ? printHeight : plot.large ? Math.max(240, innerHeight - 260)
			: plot.strip ? strip : Math.round(Math.min(170, Math.max(140, plot.width * 0.42)))) + plot.places.length * placeRow;
		const values = series(plot);
		plot.chart = new uPlot(options(plot, plot.width, height, printing ? printFine : 1), values, plot.target);
		sayNotes(plot);
	};

	// Moves the cursor to a neighbouring point that is distinguishable at this zoom, and returns its index.
	const step = (plot, direction, jump) => {
		const { chart } = plot;
		const from = chart.valToIdx(view[0]), to = chart.valToIdx(view[1]);
		const stride = Math.max(1, Math.round((to - from) / (jump ? 10 : 200)));
		const at = chart.cursor.left >= 0 ? chart.cursor.idx + direction * stride : direction > 0 ? from : to;
		const index = Math.max(from, Math.min(to, at));
		point(chart.data[0][index]);
		return index;
	};

	// Key bindings shared by charts and timeline. Zooming centres on `center`, or on the middle if it is null.
	const zoomKeys = (center) => {
		const span = view[1] - view[0], middle = center ?? (view[0] + view[1]) / 2;
		const zoom = (factor) => show(middle - (middle - view[0]) * factor, middle + (view[1] - middle) * factor);
		return {
			Home: () => show(full[0], full[0] + span),
			End: () => show(full[1] - span, full[1]),
			"+": () => zoom(0.5),
			"=": () => zoom(0.5),
			"-": () => zoom(2),
			Escape: reset,
			0: reset,
		};
	};

	const press = (event, actions) => {
		const action = actions[event.key];
		if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		action(event);
	};

	// Announces the result of a key press to screen readers. Mouse actions are not announced, because there are too
	// many.
	const say = (text) => { document.getElementById("said").textContent = text; };

	const sayPoint = (plot, index) => {
		const figures = plot.lines.filter(({ shown, value }) => shown && value === undefined).map((line) => `${line.label} ${figureAt(plot, line, index) || "not known"}`);
		say(`${units.elapsed(tidy(plot.chart.data[0][index]))}: ${figures.join(", ")}`);
	};

	const keys = (plot, event) => {
		const { left } = plot.chart.cursor;
		press(event, {
			...zoomKeys(left >= 0 ? plot.chart.posToVal(left, "x") : null),
			ArrowLeft: () => sayPoint(plot, step(plot, -1, event.shiftKey)),
			ArrowRight: () => sayPoint(plot, step(plot, 1, event.shiftKey)),
		});
	};

	// Reserves the width of the longest value of a line, so that nothing moves when the cursor appears. It is an
	// invisible box that has a text line for each format of the values.
	const room = (plot, line) => {
		const looks = new Set(line.values.filter((value) => value !== null).map((value) => plot.unit.format(value).replace(/\d/g, "0")));
		return make("span", { className: "room" }, [...looks].map((look) => (ranges(line) && time.length > 100 ? `${look} – ${look}` : look)).join("\n"));
	};

	// Marks the bands that a strip shows as a single row, "all others". These bands come after the three largest.
	const STRIP_PROGRAMS = 3;
	const fold = (bands) => {
		const area = ({ values }) => values.reduce((sum, value, i) => sum + (value ?? 0) * lasted[i], 0);
		const programs = bands.filter(({ program, color }) => program >= 0 && color !== "unknown").sort((a, b) => area(b) - area(a));
		const rest = bands.filter((line) => !programs.includes(line));
		const folded = [...programs.slice(STRIP_PROGRAMS), ...rest.filter(({ color }) => color !== "unknown")];
		// a single band keeps its own name
		if (folded.length > 1) for (const line of folded) line.folded = true;
		return [...programs, ...rest];
	};

	const legend = (plot, line) => {
		line.said = make("span");
		line.output = make("output");
		line.key = makeButton("", () => {
			const shown = !line.shown;
			for (const each of [line, ...(line.all ?? [])]) {
				each.shown = shown;
				each.key.setAttribute("aria-pressed", String(shown));
			}
			draw(plot);
		}, { className: `key${line.near === 0 ? " labelled" : line.shown && !line.tiny ? "" : " extra"}`, "aria-pressed": String(line.shown) });
		line.key.append(
			make("span", { className: `swatch ${line.color}${line.dash ? " dash" : ""}${line.part ? " part" : ""}${line.stacked ? " band" : ""}` }),
			make("span", { className: "name", title: line.label }, line.label),
			make("span", { className: "value" }, line.said, line.output, room(plot, line)),
		);
		return line.key;
	};

	// Returns constant levels such as a limit. The request and the peak are always shown. Another level is hidden at
	// first if the job's lines would look flat below it.
	const across = (lines, levels) => {
		const own = lines.filter(({ color }) => color !== "machine" && color !== "limit");
		const all = (own.length > 0 ? own : lines).flatMap(({ values, high = values }) => high);
		const greatest = all.reduce((a, b) => Math.max(a, b), 0);
		return levels.map((level) => ({
			...level, dash: level.label !== "Peak" || level.where !== undefined, shown: level.near === 0 || level.value <= level.near * greatest, values: time.map(() => level.value),
		}));
	};

	// role=application makes screen readers pass keys to the chart.
	const reachable = (target, what) => {
		target.tabIndex = 0;
		target.setAttribute("role", "application");
		target.setAttribute("aria-roledescription", what);
	};

	// Makes a button that enlarges a chart to the size of the window. A second click or Esc restores the size.
	const enlarger = (plot) => {
		const turn = () => {
			plot.large = !plot.large;
			plot.figure.classList.toggle("large", plot.large);
			button.textContent = plot.large ? "Close" : "Enlarge";
			button.setAttribute("aria-pressed", String(plot.large));
			draw(plot);
		};
		const button = makeButton("Enlarge", turn, { "aria-pressed": "false" });
		plot.figure.addEventListener("keydown", (event) => { if (plot.large && event.key === "Escape") turn(); });
		return button;
	};

	// Draws phases and parts above the strips, with widths that show their duration. A click zooms to a phase or
	// part.
	const spans = () => requestAnimationFrame(() => { // after the chart has its new scale
		const box = document.getElementById("spans"), [first] = plots;
		if (!box || !first?.strip || document.documentElement.classList.contains("print")) return;
		const { chart } = first, ends = [...data.phases.slice(1), full[1]];
		const phases = data.phases.length > 1 ? data.phases.map((at, i) => [at, ends[i], `phase ${i + 1}`, `P${i + 1}`]) : [];
		const rows = [phases, data.parts].filter(({ length }) => length > 0);
		box.replaceChildren(...rows.map((row) => {
			const line = make("div", {}, make("span", {}, row === phases ? "Phases" : "Parts"));
			for (const [from, to, name, short] of row) {
				if (to <= view[0] || from >= view[1]) continue;
				const left = chart.valToPos(Math.max(from, view[0]), "x"), wide = chart.valToPos(Math.min(to, view[1]), "x") - left;
				// not reachable by keyboard, because the tables below offer the same zoom
				const span = makeButton(short ?? name, () => (view[0] === from && view[1] === to ? reset() : show(from, to)),
					{ className: row === phases ? "phase" : "part", title: `${name}, ${units.duration(to - from)}`, tabIndex: -1 });
				span.style.left = `${chart.bbox.left / devicePixelRatio + left}px`;
				span.style.width = `${Math.max(2, wide - 1)}px`;
				span.classList.toggle("narrow", wide < 24);
				line.append(span);
			}
			return line;
		}));
	});

	const prepare = (figure) => {
		const { unit, lines, stack: bands = [], levels, sums, places = [] } = data.charts[figure.dataset.chart];
		const strips = [...figure.parentElement.children].filter((each) => each.matches(".strip"));
		const plot = {
			figure, unit: units[unit], sums, places, strip: strips.length > 0, first: figure === strips[0], last: figure === strips.at(-1),
			readout: make("p", { className: "readout", "aria-live": "off" }), tip: make("div", { className: "tip", hidden: true }),
		};
		const all = bands.map((line) => ({ ...decodeLine(line), stacked: true, note: "" }));
		const stacked = (plot.strip ? fold(all) : all).reverse();
		const plain = lines.map((line) => ({
			...decodeLine(line), filled: line.filled && bands.length === 0,
		}));
		plot.lines = [...stacked, ...plain].map((line) => ({ ...line, shown: !line.off }));
		plot.lines.push(...across(plot.lines.filter(({ off }) => !off), levels));
		plot.target = figure.querySelector(".plot");
		reachable(plot.target, "chart");
		plot.target.addEventListener("keydown", (event) => keys(plot, event));
		const legends = make("div", { className: "keys" });
		const keysOf = plot.lines.map((line) => legend(plot, line));
		const stackedKeys = keysOf.splice(0, stacked.length).reverse();
		const folded = plot.lines.filter((line) => line.folded);
		if (folded.length > 0) {
			folded.forEach(({ key }) => key.classList.add("folded"));
			const sum = (i) => folded.reduce((all, { values }) => (values[i] === null ? all : (all ?? 0) + values[i]), null);
			plot.others = { label: "all others", color: "rest0", stacked: true, shown: true, note: "", all: folded, values: time.map((_, i) => sum(i)) };
			stackedKeys.splice(STRIP_PROGRAMS, 0, legend(plot, plot.others));
			plot.others.key.classList.add("others");
			plot.others.key.title = "Each of them: Enlarge";
		}
		// in the legend, hidden lines come after visible lines
		const isOn = (key) => key.getAttribute("aria-pressed") === "true";
		legends.append(...keysOf.filter(isOn), ...stackedKeys, ...keysOf.filter((key) => !isOn(key)));
		figure.classList.add("charted");
		figure.querySelector("h3").after(plot.readout);
		plot.target.before(legends);
		const row = save.buttons(plot);
		row.prepend(enlarger(plot));
		plot.target.after(row);
		draw(plot);
		plot.target.append(plot.tip);
		plots.push(plot);
		if (plot.first) {
			spans();
			followers.push(spans);
		}
	};

	const redraw = () => {
		plots.forEach(draw);
		for (const follow of followers) follow();
	};

	const choose = (program) => {
		chosen = program;
		for (const plot of plots) if (plot.lines.some(({ stacked }) => stacked)) draw(plot);
		for (const follow of followers) follow();
	};

	// Prepares what all charts share. Each chart is drawn later.
	const begin = () => {
		if (document.querySelector("figure[data-chart]") === null) return;
		document.getElementById("hint").hidden = false;
		document.getElementById("reset").addEventListener("click", reset);
		const toggle = document.getElementById("clock");
		toggle.hidden = false;
		toggle.title = `The axes show the time of day, ${zone}`;
		toggle.addEventListener("click", () => {
			clockwise = !clockwise;
			toggle.setAttribute("aria-pressed", String(clockwise));
			redraw();
			saySpan();
		});
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
		new ResizeObserver(() => {
			if (document.documentElement.classList.contains("print")) return;
			const common = narrowest();
			for (const plot of plots) if (plot.common !== common || (plot.target.clientWidth || plot.width) !== plot.chart.width) draw(plot);
			spans();
		}).observe(document.querySelector("main"));
		addEventListener("beforeprint", () => {
			document.documentElement.classList.add("print");
			redraw();
		});
		addEventListener("afterprint", () => {
			document.documentElement.classList.remove("print");
			redraw();
		});
	};

	return {
		data, numbers, decode, time, added, full, ticks, tickText, dateAt, begin, prepare, plots, moments, view: () => view, show, reset, choose, chosen: () => chosen, style, mix, hatch, printFine,
		point, zoomKeys, press, say, reachable, follow: (f) => followers.push(f), followCursor: (f) => pointed.push(f),
	};
})();
