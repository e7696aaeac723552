// Validates files by the schemas of docs/schemas.
//
//   node tests/page/schema.mjs NAME FILE.json…     (NAME.schema.json)
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import Ajv from "ajv";

const directory = new URL("../../docs/schemas/", import.meta.url);
const ajv = new Ajv({ strict: false, allErrors: true });
for (const file of readdirSync(directory)) ajv.addSchema(JSON.parse(readFileSync(new URL(file, directory))));

const [name, ...files] = process.argv.slice(2);
const check = ajv.getSchema(`${name}.schema.json`);
assert.ok(check, `no schema ${name}`);
for (const file of files) assert.ok(check(JSON.parse(readFileSync(file))), `${file}: ${ajv.errorsText(check.errors)}`);
