// Opens a file in the real speedscope in headless Chromium, and prints the table of each profile as JSON:
//
//   node tests/page/speedscope.mjs FILE
//
// {"PROFILE": [["SYMBOL", "TOTAL", "SELF"], …], …}
//
// If the file has only one profile, speedscope does not show its name, and PROFILE is "".
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const app = join(dirname(createRequire(import.meta.url).resolve("speedscope/package.json")), "dist/release/index.html");
const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browser = await chromium.launch({
	executablePath: candidates.find((path) => path && existsSync(path)),
	args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
});
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(error.message));
page.on("request", (request) => /^https?:/.test(request.url()) && errors.push(`it asks for ${request.url()}`));
await page.goto(pathToFileURL(app).href);
await page.setInputFiles("input[type=file]", process.argv[2]);
await page.getByText("Sandwich").waitFor();
const tables = {};
for (let i = 0, count = 1; i < count; i++) {
	if (i > 0) await page.keyboard.press("n"); // the next profile
	await page.keyboard.press("3"); // a table of symbols
	await page.getByText("Symbol Name").waitFor();
	await page.waitForTimeout(200);
	const [, title, profiles] = (await page.evaluate(() => document.body.innerText)).match(/^(.*) \(\d\/(\d)\)$/m) ?? ["", "", "1"];
	count = Number(profiles);
	tables[title] = await page.$$eval("tr", (rows) => rows
		.map((row) => [2, 0, 1].map((cell) => row.cells[cell]?.innerText.trim()))
		.filter(([, total]) => total?.endsWith("%)")));
}
await browser.close();
if (errors.length > 0) {
	console.error(errors.join("\n"));
	process.exit(1);
}
console.log(JSON.stringify(tables));
