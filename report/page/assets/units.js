// SPDX-License-Identifier: Apache-2.0
// Formats values for people by the same rules as report/say/units.c, so that charts and tables agree.
"use strict";

// Makes an element. A property that the element does not have, such as aria-label, becomes an attribute.
const make = (name, properties = {}, ...children) => {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (key in element) element[key] = value;
		else element.setAttribute(key, value);
	}
	element.append(...children);
	return element;
};

const makeButton = (text, action, properties) => {
	const button = make("button", { type: "button", ...properties }, text);
	if (action) button.addEventListener("click", action);
	return button;
};

const units = (() => {
	// Returns the number of decimals. A nonzero value that would be shown as 0.000 has one significant digit, down
	// to a millionth.
	const decimals = (size) => {
		if (size > 0 && size < 0.0005) return Math.min(6, -Math.floor(Math.log10(size)));
		return size >= 100 ? 0 : size >= 10 ? 1 : size > 0 && size < 0.1 ? 3 : 2;
	};

	// Formats three significant digits, without an exponent or trailing zeros.
	const short = (value) => String(Number(value.toFixed(decimals(Math.abs(value)))));

	// A family of units: each unit is `base` times the unit before it. `below` is a smaller unit for axis labels,
	// because fractions of the first unit would be rounded or too wide.
	const scaled = (base, names, below) => {
		const rank = (size) => {
			let i = 0;
			while (i < names.length - 1 && size >= base ** (i + 1) * 0.9995) i++;
			return i;
		};
		return {
			format: (value) => {
				const i = rank(Math.abs(value));
				return `${short(value / base ** i)} ${names[i]}`;
			},
			axis: (values) => {
				const largest = Math.max(...values.map(Math.abs));
				const i = rank(largest);
				if (below && largest < 1) return values.map((value) => (value === 0 ? "0" : `${short(value * base)} ${below}`));
				return values.map((value) => (value === 0 ? "0" : `${short(value / base ** i)} ${names[i]}`));
			},
			steps: base === 1024 ? powers(2) : null,
		};
	};

	// Returns units for values that must be multiplied by `factor` to be in the first unit of the given family.
	const times = (factor, { format, axis, steps }) => ({
		format: (value) => format(value * factor),
		axis: (values) => axis(values.map((value) => value * factor)),
		steps: steps.map((step) => step / factor),
	});

	const powers = (base) => Array.from({ length: 60 }, (_, i) => base ** (i - 20));

	const plain = (suffix) => ({
		format: (value) => `${short(value)}${suffix}`,
		axis: (values) => values.map((value) => `${short(value)}${suffix}`),
		steps: null,
	});

	// Formats a number with separators, such as "5,002".
	const counted = (value) => (Math.abs(value) >= 999.5 ? Math.round(value).toLocaleString("en-US") : short(value));

	const whole = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

	const second = 1, minute = 60, hour = 3600, day = 86400;
	const timeSteps = [
		0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30,
		...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
		...[1, 2, 3, 6, 12].map((n) => n * hour),
		...[1, 2, 5, 10, 30, 100, 365].map((n) => n * day),
	].map((n) => n * second);

	// Formats the lifetime of a process. Timestamps have milliseconds, so a shorter lifetime is unknown.
	const lived = (seconds) => (seconds < 0.0005 ? "under 1 ms" : duration(seconds));

	// Formats a duration as in the tables: "27.9 s", "2 h 19 min".
	const duration = (seconds) => {
		if (seconds < 0.9995) return `${(seconds * 1000).toFixed(seconds >= 0.00005 && seconds < 0.00095 ? 1 : 0)} ms`;
		if (seconds < 59.95) return `${short(seconds)} s`;
		const pairs = [[second, 60, "min", "s"], [minute, 60, "h", "min"], [hour, 24, "d", "h"]];
		const [lesser, count, more, less] = pairs.find(([size], i) => i === pairs.length - 1 || Math.round(seconds / size) * size < pairs[i + 1][0] * pairs[i + 1][1]);
		const whole = Math.round(seconds / lesser), rest = whole % count;
		return `${Math.floor(whole / count)} ${more}${rest > 0 ? ` ${rest} ${less}` : ""}`;
	};

	// Formats the time since the start of the run in its two largest units, rounded to the smaller one: "1 h 5
	// min", "2 min 30 s", "0.25 s". If `step` is smaller than that unit, a third unit is added.
	const elapsed = (seconds, step = Infinity) => {
		if (seconds === 0) return "0";
		if (seconds < 0.09995) return `${Number((seconds * 1000).toFixed(1))} ms`;
		if (seconds < 59.9995) return `${Number(seconds.toFixed(3))} s`;
		const parts = [[day, "d"], [hour, "h"], [minute, "min"], [step < second ? second / 1000 : second, "s"]];
		const lastOf = (i) => Math.min(i + (i + 1 < parts.length && step < parts[i + 1][0] ? 2 : 1), parts.length - 1);
		const rounded = (i) => Math.round(seconds / parts[lastOf(i)][0]) * parts[lastOf(i)][0];
		const first = parts.findIndex(([size], i) => rounded(Math.min(i + 1, parts.length - 1)) >= size);
		let rest = rounded(first);
		const texts = parts.slice(first, lastOf(first) + 1).map(([size, name]) => {
			const count = name === "s" ? Number(rest.toFixed(3)) : Math.floor(rest / size + 1e-6);
			rest -= count * size;
			return [count, name];
		});
		while (texts.length > 1 && texts[texts.length - 1][0] === 0) texts.pop();
		return texts.map(([count, name]) => `${count} ${name}`).join(" ");
	};

	return {
		cpus: { ...plain(""), name: "CPUs" },
		gpus: { ...plain(""), name: "GPUs" },
		count: { format: counted, axis: (values) => values.map(counted), name: "", steps: whole },
		percent: { ...plain(" %"), name: "" },
		mib: { ...scaled(1024, ["MiB", "GiB", "TiB", "PiB"], "KiB"), name: "" },
		bytes: scaled(1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]),
		gb: { ...times(1e9 / 2 ** 30, scaled(1024, ["GiB", "TiB", "PiB"])), name: "" },
		rate: { ...scaled(1024, ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"]), name: "" },
		duration,
		lived,
		elapsed,
		timeSteps,
	};
})();
