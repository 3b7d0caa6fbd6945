// same_output.mjs MODULE DOCUMENTS FONTS: lays out each document with the browser module and compares its drawings with
// those that same_output.rs wrote. Prints the first number that differs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [moduleFolder, documents, fonts] = process.argv.slice(2);
const { initSync, Preview } = await import(pathToFileURL(join(moduleFolder, 'preview.js')).href);
initSync({ module: readFileSync(join(moduleFolder, 'preview_bg.wasm')) });
const preview = new Preview();

function layOut(document, request) {
  for (;;) {
    const outcome = JSON.parse(preview.layOut(document, JSON.stringify(request)));
    if (outcome.kind !== 'fonts') return outcome;
    for (const file of outcome.files) preview.addFont(file, readFileSync(join(fonts, file)));
  }
}

let same = 0;
const wrong = [];
for (const file of readdirSync(documents).filter((name) => name.endsWith('.json'))) {
  const name = file.slice(0, -'.json'.length);
  const { refused, pages, ...request } = JSON.parse(readFileSync(join(documents, file), 'utf8'));
  let document;
  try {
    document = preview.open(readFileSync(join(documents, `${name}.docx`)));
  } catch (error) {
    if (!refused) wrong.push(`${name} is refused: ${error}`);
    continue;
  }
  if (refused) wrong.push(`${name} is not refused`);
  if (refused) continue;
  const outcome = layOut(document, request);
  if (outcome.pages.length !== pages) wrong.push(`${name} has ${outcome.pages.length} pages, not ${pages}`);
  const read = JSON.parse(readFileSync(join(documents, `${name}.text`), 'utf8'));
  const drawn = readFileSync(join(documents, `${name}.drawn`));
  let at = 0;
  for (let page = 0; page < pages; page += 1) {
    const length = drawn.readUInt32LE(at) * 4;
    const expected = drawn.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    if (!isDeepStrictEqual(JSON.parse(preview.text(document, page)), read[page])) wrong.push(`${name}, page ${page + 1}: its text differs`);
    const drawing = preview.drawing(document, page) ?? new Float32Array();
    const own = Buffer.from(drawing.buffer, drawing.byteOffset, drawing.byteLength);
    if (own.equals(expected)) {
      same += 1;
      continue;
    }
    let first = 0;
    while (first < own.length && own.readInt32LE(first) === expected.readInt32LE(first)) first += 4;
    wrong.push(`${name}, page ${page + 1}: number ${first / 4} of ${own.length / 4} (${length / 4}) differs`);
  }
  preview.close(document);
}
console.log(`${same} pages are the same`);
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
