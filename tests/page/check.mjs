// Checks a page in headless Chromium, as a reader uses it, and prints the problems that it finds.
//
//   node tests/page/check.mjs CHECK[,CHECK]… PAGE.html [TEXT]
//   node tests/page/check.mjs shots PAGE.html DIRECTORY    (pictures of each view, for a person)
//   node tests/page/check.mjs speed PAGE.html              (figures for scripts/bench)
//   node tests/page/check.mjs picture PAGE.html FILE.svg   (for docs/picture.sh)
//   node tests/page/check.mjs serve SOCKET                 (for tests/lib/page.bash)
//
// Every check also fails on console output and on an uncaught error. It fails on any request except for the page
// itself, and for the style and script of a site. CHROMIUM is the path of the browser, if not /usr/bin/chromium.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = [
	"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

// Counts, for each chart's canvas, the pixels that differ from its corner.
const painted = (page) => page.$$eval("figure .plot canvas", (canvases) => canvases.map((canvas) => {
	const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	let count = 0;
	for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
	return count;
}));

// The contents of the canvases, which are compared to detect changes.
const pictures = (page) => page.$$eval("figure .plot canvas", (canvases) => canvases.map((canvas) => canvas.toDataURL()));

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const drag = async (page) => {
	const area = page.locator("figure .u-over").first();
	await area.scrollIntoViewIfNeeded();
	const box = await area.boundingBox();
	await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 8 });
	await page.mouse.up();
	await settled(page);
};

// Waits until everything after the first paint is made, and then for two frames. In the first frame, size observers
// draw. The second frame shows the result.
const settled = (page) => page.evaluate(async () => {
	if (typeof later !== "undefined") await later.whole;
	await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
});

// Fails unless the first chart has a line at these times. Without the line, its canvas would differ only there.
const lined = async (page, times) => {
	const missing = await page.evaluate(async (at) => {
		const { chart } = charts.plots[0];
		const columns = () => { // from a copy, because reading the canvas itself would change how it is drawn
			const copy = document.createElement("canvas");
			[copy.width, copy.height] = [chart.ctx.canvas.width, chart.ctx.canvas.height];
			const context = copy.getContext("2d", { willReadFrequently: true });
			context.drawImage(chart.ctx.canvas, 0, 0);
			return at.map((time) => context.getImageData(Math.round(chart.valToPos(time, "x", true)) - 1, chart.bbox.top, 3, chart.bbox.height).data.join());
		};
		const before = columns();
		const moments = charts.moments.splice(0);
		chart.redraw();
		await new Promise(requestAnimationFrame);
		const after = columns();
		charts.moments.push(...moments);
		chart.redraw();
		return at.filter((_, i) => before[i] === after[i]);
	}, times);
	assert.deepEqual(missing, []);
};

// The bands of a chart and their names.
const bandsOf = (page, id) => page.evaluate((name) => charts.plots.find(({ figure }) => figure.dataset.chart === name).lines
	.filter(({ stacked }) => stacked).map(({ label, values }) => [label, values]), id);

// Counts the words and numbers that a reader sees above a height, and returns them as text, too. The labels of axes are
// not counted. It runs in the page.
const aboveFold = (height) => {
	const seen = [];
	const range = document.createRange();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const { data, parentElement: parent } = walker.currentNode;
		if (parent.closest("script, style, noscript, select, svg, canvas, .unseen, .figures, [popover], .skip") || !parent.checkVisibility({ visibilityProperty: true })) continue;
		for (const { 0: word, index } of data.matchAll(/\S+/g)) {
			range.setStart(walker.currentNode, index);
			range.setEnd(walker.currentNode, index + word.length);
			const box = range.getBoundingClientRect();
			if (box.width > 0 && box.top >= 0 && box.top < height && /[\p{L}\d]/u.test(word)) seen.push(word);
		}
	}
	for (const list of document.querySelectorAll("select")) if (list.getBoundingClientRect().top < height) seen.push(list.value);
	const text = seen.join(" ");
	return { words: seen.length, numbers: (text.match(/(?<![\p{L}\d.])\d[\d.,:]*/gu) ?? []).length, seen: text };
};

const changed = (before, after) => after.filter((picture, i) => picture !== before[i]).length;

const checks = {
	async charts(page) {
		const counts = await painted(page);
		assert.ok(counts.length >= 4, `only ${counts.length} charts`);
		counts.forEach((count, i) => assert.ok(count > 1000, `chart ${i} is blank (${count} pixels)`));
	},

	async zoom(page) {
		const before = await pictures(page);
		await drag(page);
		const zoomed = await pictures(page);
		assert.equal(changed(before, zoomed), before.length, "a drag in one chart zooms all of them");
		assert.ok(await page.locator("#reset").isVisible(), "the reset button appears");
		await page.locator("figure .u-over").first().dblclick();
		await page.mouse.move(0, 0);
		await settled(page);
		assert.ok(!await page.locator("#reset").isVisible(), "a double click shows everything again");
		assert.equal(changed(before, await pictures(page)), 0, "and just as it was");
	},

	async cursor(page) {
		const area = page.locator("figure .u-over").first();
		const bottom = () => page.evaluate(() => document.documentElement.scrollHeight);
		for (const width of [380, 700, 1280]) {
			await page.setViewportSize({ width, height: 900 });
			await settled(page);
			await page.mouse.move(1, 1);
			const before = await bottom();
			await area.scrollIntoViewIfNeeded();
			const box = await area.boundingBox();
			for (let part = 0.01; part < 1; part += 0.07) {
				await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
				assert.equal(await bottom(), before, `nothing moves when the cursor comes (${width} px)`);
			}
		}
		const readouts = await page.locator("figure[data-chart] .readout").allTextContents();
		assert.ok(readouts.length >= 4 && readouts.every((text) => text !== "" && text === readouts[0]), "one time in all charts");
		assert.ok(await page.locator(".key.live output").count() > 4, "values under the cursor");
		const instants = await page.evaluate(() => charts.plots.map(({ chart }) => chart.data[0].join()));
		assert.equal(new Set(instants).size, 1, "the same instants in all charts, also where one is wider");
	},

	// At any width no label is cut off: neither the time at the right nor the figures at the left.
	async labels(page) {
		for (const width of [380, 700, 1280, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			await settled(page);
			const beyond = await page.evaluate(() => charts.plots.flatMap(({ chart, figure }) => {
				const [axis, figures] = chart.axes;
				chart.ctx.font = axis.font[0];
				const wide = (text) => chart.ctx.measureText(text ?? "").width;
				const right = axis._splits.map((at, i) => ({
					text: axis._values[i], by: chart.valToPos(at, "x", true) + wide(axis._values[i]) / 2 - chart.ctx.canvas.width,
				}));
				const room = chart.bbox.left - (figures.gap + figures.ticks.size) * devicePixelRatio;
				const left = figures._values.map((text) => ({ text, by: wide(text) - room }));
				return [...right, ...left].filter(({ by }) => by > 0).map((label) => ({ chart: figure.dataset.chart, ...label }));
			}));
			assert.deepEqual(beyond, [], `at ${width} px`);
		}
	},

	// A long table of programs shows the first programs and the row "other, short-lived". TEXT is the number of programs.
	async folded(page, text) {
		const rows = () => page.locator(".commands tbody tr:visible").count();
		const box = await page.evaluate(() => {
			const scroll = document.querySelector(".commands .scroll");
			return scroll.scrollHeight - scroll.clientHeight;
		});
		assert.ok(box <= 1, "no box to scroll in");
		assert.equal(await rows(), 13);
		assert.match(await page.locator(".commands tbody tr:visible").last().textContent(), /^(other, short-lived|\()/);
		await page.locator(".unfold").click();
		assert.equal(await rows(), Number(text) + 1);
		await page.locator(".unfold").click();
		await page.locator(".commands thead button").nth(1).click();
		assert.equal(await rows(), 13, "sorted, as many");
	},

	// A name of thousands of characters does not push the verdict off the first screen.
	async long(page) {
		await page.setViewportSize({ width: 1280, height: 900 });
		const box = await page.locator("h1").boundingBox();
		assert.ok(box.height < 110, `the name is ${box.height} px high`);
		const request = await page.locator(".next").boundingBox();
		assert.ok(request.y + request.height < 700, `the request ends at ${request.y + request.height}`);
		assert.ok(!await overflows(page), "no sideways scrolling at 1280 px");
	},

	// The bands add up to the line of the job at every moment.
	async stacks(page) {
		const sums = await page.evaluate(() => ["cpu", "memory"].map((id) => {
			const plot = charts.plots.find(({ figure }) => figure.dataset.chart === id);
			const bands = plot.lines.filter(({ stacked }) => stacked);
			const job = plot.lines.find(({ label }) => label === "Job").values;
			const most = Math.max(...job);
			return {
				bands: bands.map(({ label, values }) => [label, Math.max(...values) / most]),
				off: Math.max(...job.map((whole, i) => Math.abs(bands.reduce((sum, { values }) => sum + values[i], 0) - whole))) / most,
			};
		}));
		for (const { bands, off } of sums) {
			assert.ok(off < 0.01, `the bands are ${off} of the peak off the whole`);
			assert.equal(bands.at(-1)[0], "plain.R");
			assert.ok(bands.filter(([, part]) => part > 0.05).length >= 3, JSON.stringify(bands));
		}
	},

	// The integral of a band of CPU time equals the CPU time of its program in the table. TEXT is the smallest part
	// of the run's CPU time that the bands of programs must have.
	async billed(page, text) {
		const { bands, whole } = await page.evaluate(() => {
			const { lines } = charts.plots.find(({ figure }) => figure.dataset.chart === "cpu");
			const times = charts.time;
			const area = (values) => values.reduce((sum, value, i) => sum + (value ?? 0) * (times[i] - (i > 0 ? times[i - 1] : 0)), 0);
			return {
				bands: lines.filter(({ stacked }) => stacked).map(({ label, program, values }) => [label, program, area(values)]),
				whole: area(lines.find(({ label }) => label === "Job").values),
			};
		});
		const bill = await page.$$eval(".commands tr[data-program]", (rows) => rows.map((row) => [Number(row.dataset.program), Number(row.cells[2].dataset.value)]));
		for (const [label, program, seconds] of bands.filter(([, program]) => program >= 0)) {
			const billed = bill.find(([number]) => number === program)[1];
			assert.ok(Math.abs(seconds - billed) < 0.06 * whole + 0.02 * billed, `${label}: ${seconds} s in the chart, ${billed} s in the bill`);
		}
		const named = bands.filter(([label]) => label !== "other, short-lived").reduce((sum, [, , seconds]) => sum + seconds, 0);
		assert.ok(named >= Number(text) * whole, `programs have ${named} s of ${whole}: ${JSON.stringify(bands)}`);
	},

	// The values of each band of CPU time after the start. TEXT is the expected JSON.
	async used(page, text) {
		const used = (await bandsOf(page, "cpu")).map(([label, values]) => [label, values.slice(1).map((value) => Number(value.toFixed(2)))]);
		assert.deepEqual(Object.fromEntries(used), JSON.parse(text));
	},

	// The values of each band of memory at the last moments. TEXT is the expected JSON.
	async held(page, text) {
		const wanted = JSON.parse(text);
		const held = (await bandsOf(page, "memory")).map(([label, values]) => {
			const last = values.slice(-([wanted[label]].flat().length)).map(Math.round);
			return [label, Array.isArray(wanted[label]) ? last : last[0]];
		});
		assert.deepEqual(Object.fromEntries(held), wanted);
	},

	// The bands add up to the line of the job, whichever programs there are.
	async stacked(page) {
		const off = await page.evaluate(() => {
			const { lines } = charts.plots.find(({ figure }) => figure.dataset.chart === "cpu");
			const job = lines.find(({ label }) => label === "Job").values;
			return Math.max(...job.map((whole, i) => Math.abs(lines.filter(({ stacked }) => stacked).reduce((sum, { values }) => sum + values[i], 0) - whole))) / Math.max(...job);
		});
		assert.ok(off < 0.03, `the bands are ${off} of the peak off the whole`);
	},

	// If the usage of a process is not recorded, neither chart nor timeline shows it as idle.
	async unknown(page) {
		assert.ok(await page.evaluate(() => timeline.bars.every(({ unknown }) => unknown)), "the timeline knows that it does not know");
		const plain = await page.evaluate(() => {
			const canvas = document.querySelector("#timeline canvas");
			const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 30);
			return new Set([...Array(canvas.width).keys()].map((x) => data.slice(4 * (x + 10 * canvas.width), 4 * (x + 10 * canvas.width) + 3).join())).size;
		});
		assert.ok(plain > 2, "hatched");
	},

	// The sum over a time range has the unit of the counter: seconds or bytes.
	async totals(page) {
		await drag(page);
		const notes = await page.evaluate(() => charts.plots.flatMap(({ unit, lines }) => lines.filter(({ total }) => total).map(({ said }) => [unit === units.rate, said.textContent])));
		assert.ok(notes.some(([ofBytes]) => ofBytes) && notes.some(([ofBytes]) => !ofBytes), JSON.stringify(notes));
		for (const [ofBytes, text] of notes) assert.match(text, ofBytes ? /^[\d.]+ ([KMGTP]i)?B,/ : /^[\d.]+ (ms|s|min|h|d)\b/);
	},

	// A process without duration has a visible bar: two pixels wide, in the colour of a busy process.
	async brief(page) {
		const { wide, fine } = await page.evaluate(() => {
			const canvas = document.querySelector("#timeline canvas");
			const { data } = canvas.getContext("2d").getImageData(0, 10, canvas.width, 1);
			const busy = [1, 3, 5].map((at) => parseInt(charts.style("--busy").slice(at, at + 2), 16)).join();
			const columns = [...Array(canvas.width).keys()].map((x) => [...data.slice(4 * x, 4 * x + 3)].join());
			return { wide: columns.filter((color) => color === busy).length, fine: canvas.width / canvas.clientWidth };
		});
		assert.ok(wide >= 2 * fine - 1, `${wide / fine} px`); // Its ends may lie within a pixel of the canvas.
	},

	// A chart reaches up to the job's peak and its request. A line far above both is hidden at first, and a click shows
	// it.
	async scaled(page) {
		const plot = (id) => page.evaluate((name) => {
			const { chart, lines } = charts.plots.find(({ figure }) => figure.dataset.chart === name);
			const request = lines.find(({ label }) => label === "Request").value;
			return { top: chart.scales.y.max, job: Math.max(request, ...lines.find(({ label }) => label === "Job").values), machine: lines.find(({ label }) => label === "Machine").shown };
		}, id);
		const before = await plot("memory");
		assert.ok(!before.machine && before.top < 4 * before.job, JSON.stringify(before));
		await page.locator("figure[data-chart=memory] .save button").first().click(); // an enlarged chart has all lines in its legend
		await page.locator("figure[data-chart=memory] .key", { hasText: "Machine" }).first().click();
		await settled(page);
		assert.ok((await plot("memory")).top > 4 * before.job);
	},

	// Choosing a program in the table changes the two stacked charts and the timeline, and nothing else.
	async choice(page) {
		const before = await pictures(page);
		const pick = page.locator(".commands .pick").nth(1);
		await pick.click();
		assert.equal(await pick.getAttribute("aria-pressed"), "true");
		assert.equal(changed(before, await pictures(page)), 3);
		await pick.click();
		assert.equal(changed(before, await pictures(page)), 0);
	},

	// TEXT is the number of processes in the timeline.
	async timeline(page, text) {
		const seen = await page.evaluate(() => {
			const busy = (bar) => timeline.bars.some((other) => other !== bar && other.lane === bar.lane && other.from < bar.to && other.to > bar.from);
			charts.show(0, charts.full[1] / 2);
			return { bars: timeline.bars.length, clash: timeline.bars.slice(0, 500).some(busy) };
		});
		assert.equal(String(seen.bars), text);
		assert.ok(!seen.clash, "two processes share a lane at one time");
		const box = await page.locator("#timeline canvas").boundingBox();
		assert.ok(box.height < 360);
		await page.locator("#timeline canvas").hover({ position: { x: box.width / 3, y: 5 } });
		assert.match(await page.locator("#timeline .readout").textContent(), /^crowd\.R · process 4242 · from 0 for .* of CPU time$/);
	},

	// Charts and timeline share one cursor and one zoom, whichever of them has the pointer.
	async together(page) {
		const canvas = page.locator("#timeline canvas"), mark = page.locator("#timeline .at");
		await page.locator("figure[data-chart=cpu] .u-over").hover();
		assert.ok(await mark.isVisible(), "a chart's cursor stands in the timeline");
		await canvas.scrollIntoViewIfNeeded();
		const box = await canvas.boundingBox();
		await canvas.hover({ position: { x: box.width / 4, y: 5 } });
		const { left, over } = await page.evaluate(() => {
			const { chart } = charts.plots.at(-1);
			return { left: chart.cursor.left, over: chart.over.clientWidth };
		});
		assert.ok(Math.abs(left / over - 0.25) < 0.02, `the timeline's cursor stands in the last chart: ${left} of ${over}`);
		assert.equal(await page.locator("figure[data-chart=cpu] .readout").textContent(), await page.locator("figure[data-chart=memory] .readout").textContent());
		await page.mouse.move(1, 1);
		assert.ok(!await mark.isVisible());
		await page.mouse.move(box.x + box.width * 0.3, box.y + 5);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.6, box.y + 5, { steps: 4 });
		await page.mouse.up();
		const zoomed = await page.evaluate(() => charts.plots.map(({ chart }) => chart.scales.x).map(({ min, max }) => [min, max]));
		const [from, to] = zoomed[0];
		const whole = await page.evaluate(() => charts.full[1]);
		assert.ok(Math.abs(from / whole - 0.3) < 0.02 && Math.abs(to / whole - 0.6) < 0.02, `a drag zooms: ${from} to ${to} of ${whole}`);
		for (const other of zoomed) assert.deepEqual(other, zoomed[0]);
		assert.equal(await page.evaluate(() => charts.chosen()), null, "a drag chooses nothing");
	},

	// A click on a process selects its program, also in the table. Another click deselects it.
	async pick(page) {
		const place = await page.evaluate(() => timeline.place(timeline.bars.find(({ program }) => program === 0)));
		const pressed = () => page.locator(".commands .pick[aria-pressed=true]").allTextContents();
		const click = () => page.locator("#timeline canvas").click({ position: { x: place[0], y: place[1] } });
		const before = await pictures(page);
		await click();
		assert.match((await pressed()).join(), /^(plain|crowd)\.R$/);
		assert.equal(changed(before, await pictures(page)), 3, "two stacks and the timeline");
		await click();
		assert.deepEqual(await pressed(), []);
	},

	// The timeline works with the keyboard alone, and describes itself to a screen reader.
	async timelineKeys(page) {
		const press = (key) => page.keyboard.press(key);
		const said = () => page.locator("#said").textContent();
		const view = () => page.evaluate(() => charts.view());
		await page.locator("#timeline .plot").focus();
		await press("ArrowRight");
		assert.match(await said(), /^plain\.R · process 4242 · from 0 for .* of CPU time$/);
		await press("ArrowDown");
		assert.match(await said(), /^bash · process 4243 /, "down: the next process of that time");
		await press("ArrowUp");
		assert.match(await said(), /^plain\.R · process 4242 /);
		await press("Shift+ArrowRight");
		assert.match(await page.locator("figure[data-chart=cpu] .readout").textContent(), /\d/, "the charts' cursor comes along");
		await press("Enter");
		assert.deepEqual(await page.locator(".commands .pick[aria-pressed=true]").allTextContents(), ["plain.R"]);
		const [from, to] = await view();
		await press("+");
		const [near, far] = await view();
		assert.ok(far - near < 0.6 * (to - from), "plus zooms");
		await press("End");
		assert.equal((await view())[1], to);
		await press("Home");
		assert.equal((await view())[0], from);
		await press("-");
		await press("Escape");
		assert.deepEqual(await view(), [from, to]);
		const plot = page.locator("#timeline .plot");
		assert.equal(await plot.getAttribute("role"), "application");
		assert.equal(await plot.getAttribute("aria-label"), "Processes over time");
		const described = await page.locator(`#${await plot.getAttribute("aria-describedby")}`).textContent();
		assert.match(described, /^\d+ processes\./);
		await page.locator("#timeline summary").click();
		assert.match(await page.locator("#timeline tbody tr").first().innerText(), /^plain\.R\s+4242\s+0 ms\s/);
	},

	// TEXT names the constant lines. Hidden lines are in brackets.
	async levels(page, text) {
		const found = await page.evaluate(() => charts.plots.map((plot) => [plot.figure.dataset.chart, plot.lines.filter(({ value }) => value)]).filter(([, all]) => all.length > 0)
			.map(([id, all]) => `${id}: ${all.map(({ label, note, shown }) => shown ? `${label} ${note}` : `(${label} ${note})`).join(", ")}`).join("; "));
		assert.equal(found, text);
		assert.equal(await page.locator("figure[data-chart=memory] .key[aria-pressed=false]").count(), 1);
	},

	async legends(page) {
		const orders = await page.$$eval(".keys", (all) => all.map((keys) => [...keys.querySelectorAll(".key")].map((key) => key.getAttribute("aria-pressed")).join(" ")));
		assert.ok(orders.some((order) => order.includes("false")), "some line is off");
		for (const order of orders) assert.doesNotMatch(order, /false.*true/);
	},

	async legend(page) {
		const keys = page.locator("figure[data-chart=cpu] .key:visible");
		const key = keys.nth(await keys.evaluateAll((all) => all.findLastIndex((one) => one.getAttribute("aria-pressed") === "true")));
		const before = await pictures(page);
		await key.click();
		await settled(page);
		assert.equal(await key.getAttribute("aria-pressed"), "false");
		assert.equal(changed(before, await pictures(page)), 1, "one chart changes");
		await key.click();
		await settled(page);
		assert.equal(changed(before, await pictures(page)), 0, "and back");
	},

	async keyboard(page) {
		await page.locator("figure[data-chart=cpu] .plot").focus();
		await page.keyboard.press("ArrowRight");
		assert.notEqual(await page.locator(".readout").first().textContent(), "", "arrows move the cursor");
		assert.match(await page.locator("#said").textContent(), /^0: .*Job [\d.]+.*, R [\d.]+|, Job [\d.]+/, "and say where it is");
		await page.keyboard.press("+");
		assert.ok(await page.locator("#reset").isVisible(), "plus zooms");
		await page.keyboard.press("Escape");
		assert.ok(!await page.locator("#reset").isVisible(), "escape resets");
	},

	async dark(page) {
		const light = await background(page);
		const before = await pictures(page);
		await page.emulateMedia({ colorScheme: "dark" });
		await settled(page);
		assert.notEqual(await background(page), light, "dark ground");
		assert.equal(changed(before, await pictures(page)), before.length, "charts follow");
		await page.emulateMedia({ colorScheme: "dark", media: "print" });
		assert.notEqual(await background(page), "rgb(14, 19, 24)", "paper is never dark");
	},

	// The flame graph of make_stacks in page.bats: names are cut to the width of their frames. A click, Enter and the
	// time range of the charts zoom. The search marks frames, and a button draws each process apart.
	async flame(page) {
		const frames = () => page.$$eval(".flame > svg > svg", (all) => all.map((svg) => {
			const [title, rect, text] = svg.children, { left, right } = rect.getBoundingClientRect();
			return { left, right, wide: text.getComputedTextLength(), text: text.textContent, title: title.textContent, kind: svg.getAttribute("class") };
		}));
		const names = async () => (await frames()).map(({ title }) => title.replace(/( in [^ ]+, .*)?: .*/, ""));
		const whole = ["R", "main", "train", "dumps", "clean", "dumps", "bash", "task", "mean"];
		const reaches = async (name) => {
			const [first, ...rest] = await frames(), frame = rest.find(({ title }) => title.startsWith(name));
			return frame.right - frame.left > 0.99 * (first.right - first.left);
		};
		assert.deepEqual(await names(), whole);
		for (const { title, kind } of await frames()) {
			const [, word] = title.match(/, (your code|library): /) ?? [];
			assert.equal({ own: "your code", library: "library" }[kind], word, title);
		}
		for (const width of [390, 1280, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			await settled(page);
			const right = await page.locator(".flame").evaluate((graph) => graph.getBoundingClientRect().right);
			for (const frame of await frames()) {
				assert.ok(frame.wide <= frame.right - frame.left, `${frame.text} at ${width} px`);
				assert.ok(frame.right <= right + 1, `${frame.title} at ${width} px`);
			}
		}
		const clean = page.locator(".flame > svg > svg").filter({ hasText: /^clean in/ }).locator("rect");
		await clean.click();
		assert.deepEqual(await names(), ["R", "main", "clean", "dumps"], "a click zooms");
		assert.ok(await reaches("clean"), "the frame is as wide as the graph");
		await clean.click();
		assert.deepEqual(await names(), whole, "a second click shows all");
		await page.mouse.move(0, 0);
		await page.locator(".flame").focus();
		for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
		assert.equal(await page.locator("#said").textContent(), "clean in job.py:7, your code: 24 % of CPU time, 29 s in 290 samples");
		assert.equal(await page.locator(".flames .readout").textContent(), await page.locator("#said").textContent());
		await page.keyboard.press("Enter");
		assert.ok(await reaches("clean"), "Enter zooms");
		await page.keyboard.press("ArrowUp");
		assert.match(await page.locator("#said").textContent(), /^main in job\.py, your code: /);
		await page.keyboard.press("Escape");
		assert.deepEqual(await names(), whole, "Esc shows all");
		const search = page.locator(".flames input"), found = () => page.$$eval(".flame .found", (all) => all.length);
		await search.fill("json/");
		assert.equal(await page.locator(".flames output").textContent(), "2 matches: 75 % of CPU time, 1 min 29 s in 590 samples");
		assert.equal(await found(), 2);
		await search.fill("Job.py"); // clean and train are parts of main
		assert.equal(await page.locator(".flames output").textContent(), "4 matches: 100 % of CPU time, 1 min 59 s in 1,181 samples");
		await search.fill("");
		assert.equal(await page.locator(".flames output").textContent() + await found(), "0");
		await page.evaluate(() => charts.show(0, 29));
		assert.deepEqual(await names(), ["R", "main", "clean", "dumps", "bash", "task", "mean"], "the time range of the charts");
		await page.evaluate(() => charts.reset());
		assert.deepEqual(await names(), whole);
		const apart = page.locator(".flames button[aria-pressed]");
		await apart.click();
		assert.deepEqual((await names()).filter((name) => name.includes("process")), ["R (process 4242)", "bash (process 4243)"]);
		assert.equal(await apart.getAttribute("aria-pressed"), "true");
		await apart.click();
		assert.deepEqual(await names(), whole, "all processes together");
		const fill = () => page.locator(".flame .own rect").first().evaluate((rect) => getComputedStyle(rect).fill);
		const light = await fill();
		await page.emulateMedia({ colorScheme: "dark" });
		assert.notEqual(await fill(), light, "dark frames");
	},

	// The CPU time of each frame of the flame graph. TEXT is the expected JSON: seconds by the names of a frame and its
	// callers. Frames below 0.1 % are not drawn.
	async frames(page, text) {
		const wanted = JSON.parse(text), whole = Math.max(...Object.values(wanted));
		const seen = await page.evaluate(() => {
			const path = ({ name, caller }) => (caller === null ? name : `${path(caller)};${name}`);
			const sums = {};
			for (const frame of flame.frames()) sums[path(frame)] = (sums[path(frame)] ?? 0) + frame.cpu;
			return sums;
		});
		for (const [path, cpu] of Object.entries(wanted)) assert.ok(cpu < 0.001 * whole || Math.abs(cpu - seen[path]) < 0.001, `${path}: ${seen[path]} s instead of ${cpu} s`);
		for (const path of Object.keys(seen)) assert.ok(path in wanted, path);
	},

	// The CPU time of each function, in which recursion counts once. TEXT is `functions` in the JSON of show --by function.
	async functions(page, text) {
		const seen = await page.evaluate(() => {
			const sums = {}, isSame = (one, other) => one.name === other.name && one.node.file === other.node.file;
			const isInside = (frame, caller) => caller !== null && (isSame(frame, caller) || isInside(frame, caller.caller));
			for (const frame of flame.frames().filter(({ node }) => node.origin === 1)) {
				if (!isInside(frame, frame.caller)) sums[frame.name] = (sums[frame.name] ?? 0) + frame.cpu;
			}
			return sums;
		});
		const wanted = Object.fromEntries(JSON.parse(text).map((line) => [line.function, line.total_cpu_seconds]));
		assert.ok(Object.keys(seen).length >= 4, JSON.stringify(seen));
		for (const [name, cpu] of Object.entries(seen)) assert.ok(Math.abs(cpu - wanted[name]) < 0.001, `${name}: ${cpu} s instead of ${wanted[name]} s`);
	},

	// The memory chart labels moments with code lines, above the curves. TEXT is the number of labels. No label
	// overlaps another label or leaves the chart.
	async places(page, text) {
		for (const width of [420, 1280, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			await settled(page);
			const [labels, box] = await page.evaluate(() => {
				const { labels: made, chart: { bbox } } = charts.plots.find(({ figure }) => figure.dataset.chart === "memory");
				return [made.filter(({ bottom }) => bottom <= bbox.top + 1), { left: bbox.left, right: bbox.left + bbox.width, top: 0, bottom: bbox.top + 1 }];
			});
			assert.equal(labels.length, Number(text));
			for (const [i, one] of labels.entries()) {
				assert.ok(one.left >= box.left && one.right <= box.right && one.top >= box.top && one.bottom <= box.bottom, `${one.text} at ${width} px`);
				for (const other of labels.slice(i + 1)) assert.ok(other.top >= one.bottom, `${one.text} and ${other.text} at ${width} px`);
			}
		}
	},

	async parts(page) {
		await page.setViewportSize({ width: 400, height: 800 });
		await settled(page);
		const shown = await page.$$eval(".parts thead th", (all) => all.filter((head) => head.offsetParent).map((head) => head.textContent));
		assert.deepEqual(shown, ["Part", "Duration", "CPU time", "Peak memory"]);
	},

	async narrow(page) {
		await page.setViewportSize({ width: 380, height: 800 });
		await settled(page);
		const wide = await page.$$eval("main *", (all) => all.filter((element) => !element.closest(".scroll, pre, .unseen, .figures") &&
			element.getBoundingClientRect().right > document.documentElement.clientWidth).map((element) => element.outerHTML.slice(0, 90)));
		assert.deepEqual(wide, [], "no sideways scrolling at 380 px");
		assert.ok(!await overflows(page), "no sideways scrolling at 380 px");
		(await painted(page)).forEach((count, i) => assert.ok(count > 500, `chart ${i} is blank at 380 px`));
		const cut = await page.$$eval(":is(.commands, .marks, .phases, .postmortem, .members) .scroll", (all) => all.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.parentElement.className));
		assert.deepEqual(cut, [], "these tables are read without moving them");
	},

	// The request and the table of requests stay within the window at any width.
	async tiles(page) {
		for (const width of [380, 400, 700, 1000, 1280, 1600]) {
			await page.setViewportSize({ width, height: 800 });
			await settled(page);
			const beyond = await page.$$eval(".next, .requests", (tables) => tables.flatMap((table) => {
				const right = table.getBoundingClientRect().right - parseFloat(getComputedStyle(table).paddingRight);
				return [...table.querySelectorAll("h2, p, small, td, button")].filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > right + 1).map((element) => element.textContent);
			}));
			assert.deepEqual(beyond, [], `nothing leaves the table at ${width} px`);
		}
	},

	// Figures appear at the cursor. An enlarged chart fills the window until Esc is pressed. The navigation names
	// what is on the page.
	async enlarged(page) {
		const tip = page.locator("figure[data-chart=cpu] .tip");
		await page.locator("figure[data-chart=cpu] .u-over").hover();
		assert.ok(await tip.isVisible());
		assert.match(await tip.textContent(), /Job\d/);
		await page.mouse.move(1, 1);
		assert.ok(!await tip.isVisible());
		await page.locator("figure[data-chart=cpu] .save button").first().click();
		const box = await page.locator("figure[data-chart=cpu] canvas").boundingBox();
		assert.ok(box.width > 1100 && box.height > 400, `${box.width} by ${box.height}`);
		await page.keyboard.press("Escape");
		await settled(page);
		assert.ok((await page.locator("figure[data-chart=cpu] canvas").boundingBox()).height < 200);
		const missing = await page.$$eval("nav a", (links) => links.map(({ hash }) => hash).filter((hash) => !document.querySelector(hash)));
		assert.deepEqual(missing, []);
		assert.ok(await page.locator("nav a").count() >= 4);
		assert.ok(await page.locator("#spans .phase").count() === 3);
		// After any number of resizes, phases are as wide as the chart.
		for (const width of [420, 1280]) {
			await page.setViewportSize({ width, height: 800 });
			await settled(page);
			const [spans, plot] = await page.evaluate(() => [[...document.querySelectorAll("#spans .phase")].reduce((sum, { offsetWidth }) => sum + offsetWidth, 0), charts.plots[0].chart.over.clientWidth]);
			assert.ok(Math.abs(spans - plot) < 8, `phases are ${spans} px wide, the chart ${plot} (${width} px)`);
		}
	},

	// "More" opens a paragraph, and Esc closes it. No paragraph is visible before a click.
	async more(page) {
		await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
		for (const width of [380, 1280]) {
			await page.setViewportSize({ width, height: 800 });
			await settled(page);
			const open = page.locator(":popover-open");
			assert.equal(await page.locator("[popover]:visible").count(), 0);
			for (const button of await page.locator(".more").all()) {
				await button.click();
				assert.equal(await open.count(), 1);
				const box = await open.boundingBox();
				assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= 800, `${await button.getAttribute("popovertarget")}: ${JSON.stringify(box)}`);
				assert.ok((await open.textContent()).length > 30);
				await page.keyboard.press("Escape");
				assert.equal(await open.count(), 0);
			}
		}
	},

	// No row of a wide table is taller than three lines, for any names and any width.
	async rows(page) {
		for (const width of [380, 1280]) {
			await page.setViewportSize({ width, height: 900 });
			await settled(page);
			const tall = await page.$$eval(".wide tbody tr", (rows) => rows.map((row) => [row.getBoundingClientRect().height, row.textContent.slice(0, 60)])
				.filter(([height]) => height > 90));
			assert.deepEqual(tall, [], `at ${width} px`);
		}
	},

	// The first table of a site is sorted by a click on a heading, and filtered by a text. TEXT is a job's name.
	async sorts(page, text) {
		const rows = page.locator(".wide tbody tr:visible");
		const all = await rows.count();
		const peaks = () => page.$$eval(".wide tbody tr", (list) => list.map((row) => Number(row.cells[7].dataset.value ?? -1)));
		await page.locator(".wide thead button", { hasText: "peak memory" }).first().click();
		const down = await peaks();
		assert.deepEqual(down, [...down].sort((a, b) => b - a), "the largest first");
		await page.locator(".find input").first().fill(text);
		const found = await rows.allTextContents();
		assert.ok(found.length > 0 && found.length < all && found.every((row) => row.includes(text)), JSON.stringify(found));
		assert.equal(await page.locator(".find span").first().textContent(), `${found.length} of ${all}`);
		await page.locator(".find input").first().fill("");
		assert.equal(await rows.count(), all);
	},

	// A table of a site shows 500 rows, and all rows after a click on its button.
	async crowded(page) {
		const rows = page.locator(".wide").first().locator("tbody tr");
		const all = await rows.count();
		assert.ok(all > 500);
		assert.equal(await rows.locator("visible=true").count(), 500);
		await page.locator(".find button").first().click();
		assert.equal(await rows.locator("visible=true").count(), all);
		assert.equal(await page.locator(".find button:visible").count(), 0);
	},

	// Printed on A4, nothing exceeds the margins, no chart or row is split, and table heads repeat on each sheet.
	// TEXT is the largest allowed number of sheets (default 6).
	async paper(page, text = "6") {
		const mm = 96 / 25.4, [width, height] = [(210 - 2 * 12) * mm, (297 - 2 * 13) * mm];
		await page.setViewportSize({ width: Math.floor(width), height: Math.floor(height) });
		await page.emulateMedia({ media: "print", colorScheme: "dark" });
		await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
		await settled(page);
		const found = await page.evaluate((high) => {
			const right = document.documentElement.clientWidth;
			const name = (element) => element.outerHTML.slice(0, 100);
			const all = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility() && !element.closest(".unseen, .figures, svg"));
			const whole = [...document.querySelectorAll("figure, .tile, .card, tr, h2, pre")];
			const ink = (element) => getComputedStyle(element).breakInside === "avoid" || element.clientHeight < 60;
			return {
				beyond: all.filter((element) => element.getBoundingClientRect().right > right + 0.5).map(name),
				outside: [...document.querySelectorAll("figure canvas")].filter((canvas) =>
					canvas.getBoundingClientRect().right > canvas.closest("figure").getBoundingClientRect().right).map(name),
				cut: whole.filter((element) => element.checkVisibility() && (!ink(element) || element.clientHeight > high)).map(name),
				// This element moves to the next sheet, and leaves its height blank on this sheet.
				kept: [...document.querySelectorAll(".commands, .listing")].filter((part) => part.querySelector("tr") && part.clientHeight > high / 2 && getComputedStyle(part).breakInside === "avoid").map(name),
				headings: [...document.querySelectorAll("thead")].filter((head) => getComputedStyle(head).display !== "table-header-group").map(name),
				scrolls: [...document.querySelectorAll(".scroll, pre")].filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1).map(name),
				controls: [...document.querySelectorAll(".find")].filter((part) => part.checkVisibility()).map(name),
			};
		}, height);
		assert.deepEqual(found, { beyond: [], outside: [], cut: [], kept: [], headings: [], scrolls: [], controls: [] });
		const counts = await painted(page);
		counts.forEach((count, i) => assert.ok(count > 500, `chart ${i} is blank on paper`));
		const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
		const pages = pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
		const boxes = new Set(pdf.match(/\/MediaBox \[[^\]]*\]/g));
		assert.ok(pages >= 1 && pages <= Number(text), `${pages} pages`);
		assert.equal(boxes.size, 1);
		assert.match([...boxes][0], /\[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/, "A4");
	},

	// Prints the page to the file TEXT, which tests/page/real.bats reads with pdftotext. It also prints on sheets
	// of other sizes, so that the foot is in different places: TEXT-0.pdf and so on.
	async papers(page, text) {
		for (let i = 0; i < 20; i++) {
			await page.evaluate((room) => { document.body.style.paddingTop = `${room}mm`; }, 14 * i);
			await page.pdf({ path: `${text}-${i}.pdf`, preferCSSPageSize: true, printBackground: true });
		}
	},

	// No word in the head of a table is broken on paper.
	async heads(page) {
		await page.setViewportSize({ width: 718, height: 900 }); // A4 within its margins
		await page.emulateMedia({ media: "print" });
		for (const [text, lines] of await page.locator(".wide thead th").evaluateAll((heads) => heads.map((head) => {
			const range = document.createRange();
			range.selectNodeContents(head);
			return [head.textContent, new Set([...range.getClientRects()].map((box) => box.top)).size];
		})))
			assert.ok(lines <= text.split(" ").length, `${text} has ${lines} lines`);
	},

	// On paper a long command breaks only between two lines.
	async command(page) {
		await page.emulateMedia({ media: "print" });
		const [height, line] = await page.locator(".meta code").first().evaluate((code) =>
			[code.getBoundingClientRect().height, parseFloat(getComputedStyle(code).lineHeight)]);
		assert.ok(height > 4 * line && Math.abs(height / line - Math.round(height / line)) < 0.05, `${height} of ${line}`);
	},

	async print(page, text) {
		await page.pdf({ path: text, preferCSSPageSize: true, printBackground: true });
	},

	async sort(page) {
		const first = () => page.locator(".commands tbody tr").first().textContent();
		const heading = page.locator(".commands thead th").nth(1);
		await heading.locator("button").click();
		assert.equal(await heading.getAttribute("aria-sort"), "descending");
		const down = await first();
		await heading.locator("button").click();
		assert.equal(await heading.getAttribute("aria-sort"), "ascending");
		assert.notEqual(await first(), down);
	},

	// The lines for each tool can be copied in whatever way the browser permits.
	async copy(page, text) {
		const list = page.locator(".choices select");
		await list.selectOption("Kubernetes");
		assert.equal(await page.locator(".ask:visible").count(), 1, "one tool's lines at a time");
		const lines = await page.locator(".ask:visible pre").textContent();
		assert.ok(lines.includes(text), lines);
		const tools = await list.locator("option").allTextContents();
		assert.ok(tools.length >= 7, `${tools.length} tools`);
		for (const tool of tools) {
			await list.selectOption(tool);
			assert.equal(await page.locator(".ask.shown h3").textContent(), tool);
			await page.locator(".copy").click();
			await page.waitForFunction(async () => {
				const held = document.querySelector(".copy").textContent === "Copied" ? await navigator.clipboard.readText() : getSelection().toString();
				return held.trim() === document.querySelector(".ask.shown pre").textContent.trim();
			});
		}
	},

	// The most important information is visible without scrolling, also on a phone.
	async first(page) {
		for (const [width, height] of [[1280, 800], [420, 844]]) {
			await page.setViewportSize({ width, height });
			await settled(page);
			for (const part of [".badge", ".lead", ".next", ".next .big", ".ask.shown pre", "figure[data-chart] .u-axis"]) {
				const box = await page.locator(part).first().boundingBox();
				assert.ok(box.y >= 0 && box.y + box.height <= height, `${part} ends at ${box.y + box.height} (${width} px)`);
			}
		}
	},

	// Violations that axe-core calls serious or critical, in both colour schemes.
	async axe(page) {
		const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
		for (const colorScheme of ["light", "dark"]) {
			await page.emulateMedia({ colorScheme });
			await page.evaluate(source);
			const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"], preload: false }));
			const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
			assert.ok(found.violations !== undefined && found.testEngine.name === "axe-core");
			assert.deepEqual(serious.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
		}
	},

	// TEXT is the name of the job. It is shown unchanged, and no script in it has run.
	async hostile(page, text) {
		assert.equal(await page.locator("h1").textContent(), text);
		assert.equal(await page.evaluate(() => window.attacked), undefined);
		assert.equal(await page.locator("h1 *:not(bdi), main script, main img").count(), 0);
	},

	// The curves reach as high as the measurements, whether thinned or not, and both have the same text.
	async peaks(page) {
		const lines = await page.evaluate(() => charts.plots.flatMap((plot) => plot.lines.filter(({ stacked, value }) => !stacked && value === undefined).map((line) => ({
			name: `${plot.figure.dataset.chart}: ${line.label}`,
			drawn: plot.unit.format(Math.max(...(line.high ?? line.values).filter((value) => value !== null))),
			told: line.note.replace(/^.*peak /, ""),
		}))));
		assert.ok(lines.length >= 8);
		for (const { name, drawn, told } of lines) {
			const [a, unitA] = drawn.split(" "), [b, unitB] = told.split(" ");
			assert.ok(Math.abs(a - b) <= 0.011 * Math.abs(b) && unitA === unitB, `${name}: drawn ${drawn}, told ${told}`);
		}
	},

	// A chart has no more points than fit. Each point is a mean between the minimum and maximum of its ticks, which
	// are drawn behind it. After a zoom, each point is a single tick again.
	async envelope(page) {
		const found = await page.evaluate(() => charts.plots.map(({ chart, lines, groups, width }) => {
			const own = lines.findIndex(({ label }) => label === "Job" || label === "Received");
			const [mean, high, low] = [own + 1, lines.length + 1, lines.length + 2].map((i) => chart.data[i]);
			return {
				points: chart.data[0].length / width, drawn: chart.bands.length, first: lines[0].stacked === true || own === 0,
				outside: own === 0 ? mean.filter((value, i) => value < low[i] - 1e-9 || value > high[i] + 1e-9).length : 0,
				wide: own === 0 ? high.some((value, i) => value > low[i]) : true,
				together: groups.some(([from, end]) => end - from > 1),
			};
		}));
		for (const { points, drawn, outside, together } of found) assert.ok(points <= 0.6 && drawn > 0 && outside === 0 && together, JSON.stringify(found));
		assert.ok(found.some(({ wide }) => wide));
		const near = await page.evaluate(() => {
			charts.show(60, 200);
			return charts.plots.map(({ groups }) => groups.some(([from, end]) => end - from > 1));
		});
		assert.ok(near.every((together) => !together), "a zoom shows each point");
	},

	// The axis can show the time of day with its zone, and the text at the cursor has both times.
	async clock(page) {
		const labels = () => page.evaluate(() => charts.plots[0].chart.axes[0]._values.join());
		const before = await labels();
		await page.locator("#clock").click();
		await settled(page);
		assert.match(await labels(), /^\d\d:\d\d/);
		assert.match(await page.locator("#span").textContent(), /^Clock: (UTC|GMT.*|[A-Z]+)$/);
		await page.locator("figure .u-over").first().hover();
		assert.match(await page.locator(".readout").first().textContent(), / · .*(UTC|GMT)/);
		await page.evaluate(() => charts.show(0, charts.full[1] / 2));
		assert.match(await page.locator("#span").textContent(), /^Shown: /);
		await page.locator("#clock").click();
		await page.evaluate(() => charts.reset());
		assert.equal(await labels(), before);
		assert.equal(await page.locator("#span").textContent(), "");
	},

	// A chart can be saved as a PNG, as a valid SVG, and as a CSV with a row for each visible point.
	async saved(page) {
		const get = async (kind) => {
			await page.locator("figure[data-chart=cpu]").hover(); // the buttons appear
			const [download] = await Promise.all([page.waitForEvent("download"), page.locator("figure[data-chart=cpu] .save button", { hasText: kind }).click()]);
			assert.match(download.suggestedFilename(), new RegExp(`-cpu\\.${kind.toLowerCase()}$`));
			return readFileSync(await download.path());
		};
		assert.equal((await get("PNG")).subarray(1, 4).toString(), "PNG");
		const svg = (await get("SVG")).toString();
		const drawn = await page.evaluate((text) => {
			const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
			return { broken: parsed.querySelector("parsererror") !== null, paths: parsed.querySelectorAll("g path").length, words: parsed.documentElement.textContent };
		}, svg);
		assert.ok(!drawn.broken && drawn.paths >= 3 && drawn.words.includes("Job") && !/NaN|undefined/.test(svg), svg.slice(0, 400));
		await page.evaluate(() => charts.show(10, 20));
		const rows = (await get("CSV")).toString().trim().split("\n");
		assert.match(rows[0], /^"seconds","time",.*"Job"/);
		assert.equal(rows.length, 12, "a heading and eleven points");
		assert.match(rows[1], /^10,20\d\d-\d\d-\d\dT\d\d:\d\d:10\.000Z,/);
	},

	// The processes are a tree that folds. A search highlights its results in the tree, in the timeline and in the
	// table of programs.
	async tree(page) {
		const rows = () => page.locator(".tree tbody tr").count();
		const before = await page.locator("#timeline canvas").evaluate((canvas) => canvas.toDataURL());
		await page.locator(".find button").click();
		const all = await rows();
		assert.ok(all > 10);
		assert.match(await page.locator(".tree tbody tr").first().innerText(), /^.plain\.R\s+4242\s+0\s/);
		await page.locator(".tree tbody button").first().click();
		assert.equal(await rows(), 1, "folded");
		await page.locator(".tree tbody button").first().click();
		await page.locator(".find input").fill("bash");
		const found = await rows();
		assert.ok(found > 1 && found < all, `${found} of ${all}`);
		assert.equal(await page.locator(".commands tr[data-program]:visible").count(), 1);
		assert.notEqual(await page.locator("#timeline canvas").evaluate((canvas) => canvas.toDataURL()), before);
		await page.locator(".find input").fill("");
		assert.equal(await rows(), all);
	},

	// TEXT is the whole tree: the pids in order, each preceded by one dot per level.
	async below(page, text) {
		const folded = page.locator('.tree tbody button[aria-expanded="false"]');
		await page.locator(".find button").click();
		while (await folded.count() > 0) await folded.first().click();
		const rows = await page.locator(".tree tbody tr").evaluateAll((all) =>
			all.map(({ cells }) => ".".repeat(parseInt(cells[0].style.paddingLeft, 10) / 16) + cells[1].textContent));
		assert.equal(rows.join(" "), text);
	},

	async zoomed(page) {
		const notes = () => page.locator("figure[data-chart=cpu] .key .value > span:first-child").allTextContents();
		const whole = await notes();
		const expected = await page.evaluate(() => {
			const half = charts.full[1] / 2;
			charts.show(0, half);
			const plot = charts.plots.find(({ figure }) => figure.dataset.chart === "cpu");
			const { values } = plot.lines.find(({ label }) => label === "Job");
			const seen = values.filter((_, i) => i >= charts.added && charts.time[i] <= half);
			return `mean ${plot.unit.format(seen.reduce((a, b) => a + b) / seen.length)}, peak ${plot.unit.format(Math.max(...seen))}`;
		});
		const part = await notes();
		assert.ok(part.includes(expected) && !whole.includes(expected), `${part} without ${expected}`);
		await page.keyboard.press("Escape");
		await page.evaluate(() => charts.reset());
		assert.deepEqual(await notes(), whole);
	},

	// Each phase except the first begins with a line and a name. A click on one zooms to the phase.
	async phases(page) {
		const phases = await page.$$eval(".phases tr[data-start]", (rows) => rows.map(({ dataset }) => [Number(dataset.start), Number(dataset.stop)]));
		assert.ok(phases.length >= 2);
		const shown = await page.evaluate(() => charts.moments.map(({ at, name }) => [at, name]));
		assert.deepEqual(shown, phases.slice(1).map(([start], i) => [start, `phase ${i + 2}`]));
		await lined(page, phases.slice(1).map(([start]) => start));
		const row = page.locator(".phases tr[data-start]").nth(1);
		assert.equal(await row.locator("button").getAttribute("title"), "Show in the charts");
		await row.locator("button").click();
		assert.deepEqual(await page.evaluate(() => charts.view()), phases[1]);
		await row.locator("button").click();
		assert.ok(await page.locator("#reset").isHidden());
	},

	// Each mark has a line and a name, too. TEXT is the name of the first mark.
	async marks(page, text) {
		const shown = await page.evaluate(() => charts.moments.filter(({ color }) => color === "--mark").map(({ at, name }) => [at, name]));
		assert.equal(shown[0][1], text);
		assert.equal(await page.locator(".marks tbody td bdi").first().textContent(), text);
		assert.equal(await page.locator(".marks tbody tr").count(), shown.length);
		await lined(page, shown.map(([at]) => at));
	},

	// The numbers above a chart name all TEXT marks. Marks that overlap share a label: "2-5".
	async numbered(page, text) {
		const written = await page.evaluate(async () => {
			const { chart } = charts.plots[0];
			const [own, texts] = [chart.ctx.fillText, []];
			chart.ctx.fillText = function (...given) {
				if (given[2] === chart.bbox.top) texts.push({ text: given[0], from: given[1], to: given[1] + this.measureText(given[0]).width });
				own.apply(this, given);
			};
			chart.redraw();
			await new Promise(requestAnimationFrame);
			delete chart.ctx.fillText;
			return texts;
		});
		const named = written.flatMap(({ text: label }) => {
			const found = label.match(/^(?:P\d+ )*(\d+)(?:–(\d+))?/);
			if (!found) return []; // a phase
			const first = Number(found[1]), last = Number(found[2] ?? found[1]);
			return Array.from({ length: last - first + 1 }, (_, i) => first + i);
		});
		assert.deepEqual([...new Set(named)], Array.from({ length: Number(text) }, (_, i) => i + 1));
		assert.ok(written.length > 5 && written.every(({ to }, i) => !(written[i + 1]?.from < to)), "no label lies upon another");
		await page.locator(".marks .unfold", { hasText: `Show all ${text} marks` }).click();
		assert.equal(await page.locator(".marks tbody tr:visible").count(), Number(text));
	},

	// TEXT names the charts on the page, in order.
	async shown(page, text) {
		const ids = await page.$$eval("figure[data-chart]", (figures) => figures.map((figure) => figure.dataset.chart));
		assert.equal(ids.join(" "), text);
	},

	// The first paint does not wait for charts. All charts exist in the end, and immediately if the page is
	// printed.
	async later(page) {
		const count = () => page.evaluate(() => [document.querySelectorAll("figure.charted canvas").length, document.querySelectorAll("figure").length]);
		const [whole, figures] = await count();
		assert.ok(whole === figures && whole >= 5, `${whole} of ${figures}`);
		for (const [hurried, expected] of [[false, 0], [true, whole]]) {
			await page.addInitScript((print) => addEventListener("DOMContentLoaded", () => {
				if (print) dispatchEvent(new Event("beforeprint"));
				window.early = document.querySelectorAll("figure.charted canvas").length;
			}), hurried);
			await page.reload();
			assert.equal(await page.evaluate(() => window.early), expected, hurried ? "printed" : "read");
		}
	},

	// Charts that are made later fill reserved space, so that no text moves.
	async still(page) {
		await page.addInitScript(() => {
			window.moved = 0;
			new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value; }).observe({ type: "layout-shift", buffered: true });
		});
		await page.reload();
		await settled(page);
		const moved = await page.evaluate(() => window.moved);
		assert.ok(moved < 0.1, `a layout shift of ${moved}`);
	},

	// Lines begin at the start of the run, with the value of the first tick. TEXT is the largest number of CPUs
	// drawn for the machine.
	async begins(page, text) {
		const drawn = await page.evaluate(() => ({
			lines: charts.plots.flatMap(({ figure, lines, chart }) => lines.filter(({ value }) => value === undefined)
				.map(({ label, values }) => [`${figure.dataset.chart}: ${label}`, chart.data[0][0], values[0], values[1]])),
			machine: Math.max(...charts.plots.find(({ figure }) => figure.dataset.chart === "cpu").lines.find(({ label }) => label === "Machine").values),
		}));
		assert.ok(drawn.lines.length >= 4);
		for (const [name, at, first, next] of drawn.lines) assert.ok(at === 0 && first === next, `${name} begins at ${at} with ${first}, ${next}`);
		assert.ok(drawn.machine <= Number(text), `the machine: ${drawn.machine}`);
	},

	// The first screen is short, and has the error, the request and both charts. TEXT names what else must be on it:
	// "error", or the text "short" for a page of at most three screens.
	async glance(page, text = "") {
		const screens = [[1280, 800, 120, 20], [390, 844, 80, 14]];
		for (const [width, height, mostWords, mostNumbers] of screens) {
			await page.setViewportSize({ width, height });
			await settled(page);
			const { words, numbers, seen } = await page.evaluate(aboveFold, height);
			assert.ok(words <= mostWords && numbers <= mostNumbers, `${words} words and ${numbers} numbers at ${width} px: ${seen}`);
			const bottom = async (part) => {
				const box = await page.locator(part).first().boundingBox();
				return box.y + box.height;
			};
			if (text.includes("error")) assert.ok(await bottom(".failure .error") < 250, "the error comes first");
			assert.ok(await bottom(".next .big") < height && await bottom(".next .asks") < height, `the request is on the first screen at ${width} px`);
			assert.ok((await page.locator("figure[data-chart=cpu]").boundingBox()).y < height, `the first chart begins there at ${width} px`);
		}
		await page.setViewportSize({ width: 1280, height: 800 });
		await settled(page);
		assert.ok((await page.locator("figure[data-chart=memory]").boundingBox()).y < 800, "both charts begin on the first screen");
		const stops = await page.evaluate(() => {
			const first = document.querySelector(".plot");
			return [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")].filter((element) => element.tabIndex >= 0 &&
				element.checkVisibility({ visibilityProperty: true }) && element.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING).length;
		});
		assert.ok(stops <= 10 + 8, `${stops} tab stops before the first chart`); // the legend has up to 8 lines
		if (text.includes("short")) assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) <= 2400, "a page of three screens");
	},

	// The whole page has five sizes of text, targets of 24 px, and no sentence twice.
	async plain(page) {
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 800 });
			await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
			await settled(page);
			const { sizes, small, wide } = await page.evaluate(() => {
				const all = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".unseen, .figures, svg, [popover]"));
				const written = all.filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ""));
				const box = (element) => element.getBoundingClientRect();
				return {
					sizes: [...new Set(written.map((element) => getComputedStyle(element).fontSize))],
					small: all.filter((element) => element.matches("button, select, summary, input, nav a") && !element.closest("#spans") && (box(element).height < 24 || box(element).width < 24))
						.map((element) => `${element.outerHTML.slice(0, 80)} ${box(element).width} x ${box(element).height}`),
					wide: document.body.clientWidth,
				};
			});
			assert.ok(sizes.length <= 5, `sizes: ${sizes}`);
			assert.deepEqual(small, [], `targets at ${width} px`);
			assert.ok(wide <= 1280);
		}
		const twice = await page.evaluate(() => {
			const sentences = [...document.querySelectorAll("main p")].filter((element) => !element.closest("[popover], .figures, pre"))
				.map((element) => {
					const copy = element.cloneNode(true);
					copy.querySelectorAll("[popover], button").forEach((part) => part.remove());
					return copy.textContent;
				}).flatMap((text) => text.split(/(?<=[.:])\s+/)).map((sentence) => sentence.trim()).filter((sentence) => sentence.split(" ").length > 5);
			return sentences.filter((sentence, i) => sentences.indexOf(sentence) < i);
		});
		assert.deepEqual(twice, [], "each sentence once");
		const ticks = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((element) => !element.closest("code, pre, svg, script") && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.includes("`"))).length);
		assert.equal(ticks, 0, "raw backticks");
	},

	// The charts of CPU and memory reach to the request and to the peak, and name both. No label lies on another or on
	// a curve, on the screen or on paper.
	async named(page) {
		const check = async (where) => {
			const found = await page.evaluate(() => charts.plots.map(({ figure, labels, lines, chart: { bbox, ctx, scales } }) => ({
				chart: figure.dataset.chart, labels, bbox: { ...bbox }, wide: ctx.canvas.width, high: ctx.canvas.height,
				beyond: lines.filter(({ near, value }) => near === 0 && value > scales.y.max).map(({ label }) => label), named: lines.filter(({ near }) => near === 0).length,
			})));
			for (const { chart, labels, bbox, wide, high, beyond, named } of found) {
				assert.deepEqual(beyond, [], `${chart} ${where}`);
				if (["cpu", "memory"].includes(chart)) assert.ok(named >= 1 && labels.length >= named, `${chart} names its levels ${where}`);
				for (const [i, one] of labels.entries()) {
					assert.ok(one.left >= 0 && one.right <= wide && one.top >= 0 && one.bottom <= high, `${chart}: ${one.text} leaves the chart ${where}`);
					assert.ok(one.left >= bbox.left + bbox.width || one.bottom <= bbox.top + 1, `${chart}: ${one.text} lies on the curves ${where}`);
					for (const other of labels.slice(i + 1))
						assert.ok(other.top >= one.bottom - 0.5 || other.bottom <= one.top + 0.5 || other.left >= one.right || other.right <= one.left, `${chart}: ${one.text} lies on ${other.text} ${where}`);
				}
			}
		};
		for (const width of [390, 1280]) {
			await page.setViewportSize({ width, height: 800 });
			await settled(page);
			await check(`at ${width} px`);
		}
		await page.emulateMedia({ media: "print" });
		await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
		await settled(page);
		await check("on paper");
	},

	async opens(page) {
		assert.notEqual(await page.locator("h1").textContent(), "");
		assert.ok(!await overflows(page));
	},

};

// Checks what remains without JavaScript.
const bare = async (browser, url) => {
	const page = await browser.newPage({ javaScriptEnabled: false });
	await page.goto(url);
	const text = await page.locator("main").innerText();
	for (const expected of ["need JavaScript", "CPU", "Memory", "peak"]) assert.ok(text.includes(expected), expected);
	assert.ok(await page.locator("figcaption .figures").first().isVisible());
	if (await page.locator(".flames").count() > 0) {
		assert.ok(!await page.locator(".flames").isVisible(), "no flame graph");
		assert.ok(await page.locator("#functions").isVisible(), "a table of functions instead");
	}
	const drawn = await page.$$eval("figure[data-chart] .spark path.job", (paths) => paths.map((path) => path.getBBox()).map(({ width, height }) => [width, height]));
	assert.ok(drawn.length >= 3 && drawn.some(([width, height]) => width > 300 && height > 50), `lines without a script: ${drawn}`);
	for (const width of [1280, 380]) {
		await page.setViewportSize({ width, height: 900 });
		const wide = await page.$$eval("main *", (all) => all.filter((element) => !element.closest(".scroll, pre, .flame") &&
			element.getBoundingClientRect().right > document.documentElement.clientWidth).map((element) => element.outerHTML.slice(0, 90)));
		assert.deepEqual(wide, [], `nothing is cut off at ${width} px`);
	}
};

const shots = async (browser, url, directory) => {
	for (const [name, width, scheme] of [["light", 1280, "light"], ["dark", 1280, "dark"], ["narrow", 380, "light"]]) {
		const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
		await page.goto(url);
		await settled(page);
		await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
		await page.close();
	}
	const page = await browser.newPage({ colorScheme: "dark" });
	await page.goto(url);
	await page.pdf({ path: join(directory, "print.pdf"), preferCSSPageSize: true, printBackground: true });
};

const firstPaint = async (page, url) => {
	await page.goto(url, { waitUntil: "domcontentloaded" });
	return page.evaluate(async () => {
		const painted = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
		while (painted() === undefined) await new Promise((done) => requestAnimationFrame(done));
		return painted();
	});
};

// Figures for scripts/bench, in ms: the time to the first paint; for a page of rtrack, also the time for a zoom of all
// charts and of the timeline alone; the time to the first paint of an empty page in the same browser. There is no
// network, although other pages may request it.
const speed = async (browser, url) => {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
	const empty = await firstPaint(await context.newPage(), "data:text/html,<!DOCTYPE html><title>-</title><p>nothing");
	const page = await context.newPage();
	const paint = await firstPaint(page, url);
	if (await page.evaluate(() => typeof later !== "undefined")) await settled(page);
	const figures = await page.evaluate(async () => {
		const time = async (action) => {
			const all = [];
			while (all.length < 5) {
				const from = performance.now();
				action();
				for (let i = 0; i < 3; i++) await null; // Charts are drawn after the script has ended.
				all.push(performance.now() - from);
			}
			return all.sort((a, b) => a - b)[2];
		};
		if (typeof charts === "undefined") return [0, 0];
		const [from, to] = charts.full, part = 0.2 * (to - from);
		let near = false;
		const zoom = await time(() => { near = !near; charts.show(near ? from + part : from, near ? to - part : to); });
		return [zoom, timeline.bars.length > 0 ? await time(timeline.draw) : 0];
	});
	console.log([paint, ...figures, empty].map((figure) => figure.toFixed(1)).join(" "));
};

// The charts of CPU and memory, one below the other, as their buttons save them, with a summary above.
const picture = async (browser, url, file) => {
	const page = await browser.newPage({ viewport: { width: 480, height: 900 }, colorScheme: "light" }); // narrow, for few points
	await page.goto(url);
	await settled(page);
	// the colours of the page by the names of their variables
	const palette = () => page.evaluate(() => {
		const root = getComputedStyle(document.documentElement);
		const names = [...document.styleSheets[0].cssRules].filter(({ selectorText }) => selectorText === ":root").flatMap(({ style }) => [...style]);
		return names.map((name) => root.getPropertyValue(name).trim());
	});
	const made = await page.evaluate(() => {
		const lead = document.querySelector(".lead").textContent.trim().replace(/&/g, "&amp;").replace(/</g, "&lt;");
		let top = 34, parts = "";
		for (const plot of charts.plots.slice(0, 2)) {
			const { high, text } = save.svg(plot), own = `-${plot.figure.dataset.chart}`;
			parts += text.replace("<svg ", `<svg y="${top}" `).replace(/(id="|url\(#)(plot|unknown)/g, `$1$2${own}`);
			top += high + 4;
		}
		return `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="${top}" viewBox="0 0 760 ${top}" font-family="sans-serif">` +
			`<rect width="100%" height="100%" fill="#ffffff"/><text x="20" y="24" font-size="12.5" fill="#16202b">${lead}</text>${parts}</svg>\n`;
	});
	const light = await palette();
	await page.emulateMedia({ colorScheme: "dark" });
	const dark = await palette();
	const swap = light.map((color, i) => [color, dark[i]]).filter(([color], i) => /^#[0-9a-f]{6}$/.test(color) && light.indexOf(color) === i && made.includes(color))
		.map(([color, other]) => `[fill="${color}"]{fill:${other}}[stroke="${color}"]{stroke:${other}}`);
	const styled = made.replace(">", `><style>@media (prefers-color-scheme:dark){${swap.join("")}}</style>`);
	writeFileSync(file, styled.replace(/ d="[^"]*"/g, (path) => path.replace(/\d+\.\d+/g, (number) => Math.round(number))));
};

// Records problems of the tab: console messages, errors, and requests for anything but tab.url.
const watch = (tab) => {
	tab.page.on("console", (message) => tab.problems.push(`console: ${message.text()}`));
	tab.page.on("pageerror", (error) => tab.problems.push(`error: ${error.message}`));
	tab.page.on("request", (request) => request.url() !== tab.url && !/^(blob|data):|\/assets\/[0-9a-f]{16}\.(css|js)$/.test(request.url()) && tab.problems.push(`request: ${request.url().slice(0, 80)}`));
	tab.page.on("dialog", (dialog) => {
		tab.problems.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
};

const launch = () => chromium.launch({ executablePath: candidates.find((path) => path && existsSync(path)), args: flags });

// Checks that leave a page as they found it.
const restoring = new Set(["charts", "envelope", "first", "hostile", "legend", "legends", "levels", "opens", "peaks", "shown", "stacked", "stacks", "unknown", "zoom"]);

// Checks that add a script to the tab, which runs in each page that it loads.
const scripting = new Set(["later", "still"]);

// Loads the page again. Opening a tab takes three times as long as loading a page into an existing tab. Therefore the
// tab is reused unless it was closed. Only its emulated settings and the mouse position remain from the last page.
const tab = { page: undefined, url: "", problems: [] };
const open = async (browser, url) => {
	if (tab.page === undefined || tab.page.isClosed()) {
		tab.page = await browser.newPage({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
		watch(tab);
	} else {
		await tab.page.mouse.move(0, 0);
		await tab.page.emulateMedia({ colorScheme: "light", media: null });
		await tab.page.setViewportSize({ width: 1280, height: 900 });
	}
	[tab.url, tab.problems] = [url, []];
	await tab.page.goto(url);
};

// A check gets a freshly loaded page, unless all checks before it restore the page. So no check depends on another.
const look = async (browser, names, url, extra) => {
	let restored = false;
	for (const name of names) {
		try {
			if (restored) await tab.page.mouse.move(0, 0);
			else await open(browser, url);
			await settled(tab.page);
			await checks[name](tab.page, extra);
			assert.deepEqual(tab.problems, []);
		} catch (error) {
			throw new Error(`${name}: ${error.message}`, { cause: error });
		}
		restored = restoring.has(name);
		if (scripting.has(name)) await tab.page.close();
	}
};

const answer = async (browser, names, file, extra) => {
	const url = pathToFileURL(resolve(file)).href;
	if (names === "shots") await shots(browser, url, extra);
	else if (names === "bare") await bare(browser, url);
	else if (names === "speed") await speed(browser, url);
	else if (names === "picture") await picture(browser, url, extra);
	else await look(browser, names.split(","), url, extra);
};

// The HTML is valid by the recommended rules of html-validate.
const valid = async (files) => {
	const { FileSystemConfigLoader, HtmlValidate } = await import("html-validate");
	const validator = new HtmlValidate(new FileSystemConfigLoader({ extends: ["html-validate:recommended"] }));
	for (const file of files) {
		const { valid: good, results } = await validator.validateFile(file);
		const told = results.flatMap(({ messages }) => messages.map(({ line, column, message, ruleId }) => `${file}:${line}:${column}: ${message} (${ruleId})`));
		assert.ok(good, told.join("\n"));
	}
};

// One browser serves all checks of a test file, because starting a browser takes longer than most checks. The body of a
// request contains the arguments, each ended by a NUL. The answer describes the problems, or is empty.
const serve = (socket) => {
	let browser;
	createServer(async (request, response) => {
		let text = "";
		for await (const part of request.setEncoding("utf8")) text += part;
		const [names, ...rest] = text.split("\0").slice(0, -1);
		try {
			if (names === "valid") await valid(rest);
			else {
				if (!browser?.isConnected()) browser = await launch();
				await answer(browser, names, ...rest);
			}
			response.end();
		} catch (error) {
			for (const context of browser?.contexts() ?? []) await context.close().catch(() => undefined);
			response.end(`${error.message}\n`);
		}
	}).listen(socket);
	process.once("SIGTERM", async () => {
		await browser?.close();
		process.exit();
	});
};

const [names, ...rest] = process.argv.slice(2);
if (names === "serve") serve(...rest);
else {
	const browser = await launch();
	try {
		await answer(browser, names, ...rest);
	} catch (error) {
		console.error(error.message);
		process.exitCode = 1;
	} finally {
		await browser.close();
	}
}
