// Checks that the colours of the page are readable, and that colour-blind readers can distinguish them.
//
//   node tests/page/colours.mjs report/page/assets/page.css
//
// Contrast is computed by WCAG 2.2: 4.5 for text, 3 for lines. The difference of two colours is their distance in Oklab
// (Ottosson 2020), where black to white is 100. Machado, Oliveira and Fernandes (2009) give the colours as seen without
// one kind of cone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const texts = ["text", "muted", "accent", "good", "bad", "live"];
const lines = ["job", "second", "third", "limit", "machine", "advice"];
const bands = ["band0", "band1", "band2", "band3", "band4", "band5", "rest0"];
const frames = ["own", "library", "found"]; // of the flame graph; the text in them has the colour "text"
const strangers = [["second", "limit"], ["second", "advice"], ...bands.map((band) => ["second", band])]; // never in the same chart
const apart = 8;

const cones = {
	all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	"no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	"no medium": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	"no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const multiply = (matrix, vector) => matrix.map((row) => row.reduce((sum, part, i) => sum + part * vector[i], 0));

const linear = (color) => [1, 3, 5].map((at) => {
	const part = parseInt(color.slice(at, at + 2), 16) / 255;
	return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

const luminance = (color) => multiply([[0.2126, 0.7152, 0.0722]], linear(color))[0];

const contrast = (a, b) => {
	const [less, more] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (more + 0.05) / (less + 0.05);
};

const oklab = (rgb) => {
	const inside = rgb.map((part) => Math.min(1, Math.max(0, part)));
	const lms = multiply([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
		[0.0883024619, 0.2817188376, 0.6299787005]], inside).map(Math.cbrt);
	return multiply([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099],
		[0.0259040371, 0.7827717662, -0.808675766]], lms);
};

const distance = (a, b, seen) => {
	const [x, y] = [a, b].map((color) => oklab(multiply(seen, linear(color))));
	return 100 * Math.hypot(...x.map((part, i) => part - y[i]));
};

const variables = (css) => Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]));

const check = (scheme, colors) => {
	for (const name of texts) {
		for (const ground of ["card", "ground"]) {
			const found = contrast(colors[name], colors[ground]);
			assert.ok(found >= 4.5, `${scheme}: text in ${name} on ${ground} has a contrast of ${found.toFixed(2)}`);
		}
	}
	for (const name of lines) {
		const found = contrast(colors[name], colors.card);
		assert.ok(found >= 3, `${scheme}: a line in ${name} has a contrast of ${found.toFixed(2)}`);
	}
	for (const name of [...frames, "track"]) {
		const found = contrast(colors.text, colors[name]);
		assert.ok(found >= 4.5, `${scheme}: text on ${name} has a contrast of ${found.toFixed(2)}`);
	}
	for (const all of [[...lines, ...bands], frames]) for (const [cone, seen] of Object.entries(cones)) {
		all.forEach((a, i) => all.slice(i + 1).forEach((b) => {
			if (strangers.some((pair) => pair.includes(a) && pair.includes(b))) return;
			const found = distance(colors[a], colors[b], seen);
			assert.ok(found >= apart, `${scheme}, cones: ${cone}: ${a} and ${b} are only ${found.toFixed(1)} apart`);
		}));
	}
};

const [light, dark] = readFileSync(process.argv[2], "utf8").split("(prefers-color-scheme: dark)").map(variables);
assert.ok(Object.keys(dark).length > 20, "the style has colours for the dark");
try {
	check("light", light);
	check("dark", { ...light, ...dark });
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
