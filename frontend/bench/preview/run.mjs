// `cargo xtask bench preview`: node run.mjs DOCUMENTS MADE [MORE …]: how soon pages are seen and keys are answered in Chromium, beside what
// docx-preview takes for the same files in the same run. DOCUMENTS: the catalogue's .docx; MADE: a folder for what is built; MORE: files besides.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, extname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import JSZip from 'jszip';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const [documents, made, ...more] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const KEYS = 60;
const TIMES = 10;

await build({
  configFile: join(root, 'vite.config.ts'),
  root: import.meta.dirname,
  base: '/',
  logLevel: 'error',
  build: { outDir: made, emptyOutDir: true, manifest: false, chunkSizeWarningLimit: 4000 },
});

/** The same body so many times, as long documents come about. */
async function repeated(file, times) {
  const zip = await JSZip.loadAsync(readFileSync(file));
  const xml = await zip.file('word/document.xml').async('string');
  const [, before, body, section] = /^(.*<w:body>)(.*?)(<w:sectPr(?:(?!<w:sectPr).)*<\/w:body>.*)$/s.exec(
    xml,
  );
  zip.file('word/document.xml', before + body.repeat(times) + section);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const named = (name) => join(documents, `${name}.docx`);
const cases = [
  ['letter', readFileSync(named('en-letter-of-resignation'))],
  ['contract', await repeated(named('en-residential-tenancy-agreement'), 2)],
  ['long contract', await repeated(named('en-residential-tenancy-agreement'), 11)],
  ['Arabic contract', readFileSync(named('ar-residential-lease'))],
  ...more.map((file) => [basename(file), readFileSync(file)]),
];

const kinds = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};
const wire = [];
const server = createServer((request, answer) => {
  const path = join(made, request.url === '/' ? 'index.html' : new URL(request.url, 'http://x').pathname);
  if (!existsSync(path)) return void answer.writeHead(404).end();
  const bytes = brotliCompressSync(readFileSync(path));
  wire.push([basename(path), bytes.length]);
  answer.writeHead(200, {
    'content-type': kinds[extname(path)] ?? 'application/octet-stream',
    'content-encoding': 'br',
  });
  answer.end(bytes);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${server.address().port}/`;

const launched = await chromium.launchServer({
  executablePath: process.env.WARAQ_BROWSER ?? 'chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
});
const browser = await chromium.connect(launched.wsEndpoint());
const page = await browser.newPage();
await page.goto(address);
await page.waitForFunction(() => 'bench' in window);
const call = (name, bytes, count) =>
  page.evaluate(
    ([name, bytes, count]) => window.bench[name](bytes, count),
    [name, bytes.toString('base64'), count],
  );

const share = (numbers, part) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))];
const ms = (number) => (number === undefined ? '–' : number.toFixed(number < 10 ? 1 : 0)).padStart(7);
const longest = (tasks) =>
  tasks.length === 0 ? 'none' : `${tasks.length}, to ${Math.round(Math.max(...tasks))} ms`;

// What is fetched once is there from then on: the module, and fonts for the first document.
await call('live', cases[0][1], 1);
const weight = (pattern) =>
  wire.filter(([name]) => pattern.test(name)).reduce((sum, [, bytes]) => sum + bytes, 0);
const megabytes = (bytes) => (bytes / 1e6).toFixed(2);
console.log(
  `engine ${megabytes(weight(/\.wasm$/))} MB, fonts of a letter ${megabytes(weight(/\.ttf$/))} MB (brotli)\n`,
);
console.log('milliseconds                          pages  first page   key p50   key p95  long tasks');
for (const [name, bytes] of cases) {
  await call('live', bytes, 1);
  const own = await call('live', bytes, KEYS);
  console.log(
    `${name.padEnd(26)} Waraq      ${String(own.pages).padStart(5)}     ${ms(own.opened)}   ${ms(share(own.keys, 0.5))}   ${ms(share(own.keys, 0.95))}  ${longest(own.longTasks)}`,
  );
  const other = await call('peer', bytes, TIMES);
  console.log(
    `${''.padEnd(26)} docx-preview ${String(other.pages).padStart(3)}     ${ms(other.opened)}   ${ms(share(other.again, 0.5))}   ${ms(share(other.again, 0.95))}  ${longest(other.longTasks)}`,
  );
}

/** Bytes of the page and its workers, the engine's memory among them. */
async function memory() {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  // Linux: the resident memory of the browser's processes for pages.
  const status = (id, what) => {
    try {
      return new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    } catch {
      // It has ended meanwhile.
      return undefined;
    }
  };
  const ours = (id) => {
    for (let at = id; at && at !== '1'; at = status(at, 'PPid'))
      if (Number(at) === launched.process().pid) return true;
    return false;
  };
  const renders = (id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  };
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && renders(name) && ours(name));
  const sum = processes.reduce((all, id) => all + Number(status(id, 'VmRSS') ?? 0), 0);
  return sum / 1024;
}
const [, contract] = cases[1];
await call('openings', contract, 20);
const before = await memory();
await call('openings', contract, 100);
const between = await memory();
await call('openings', contract, 100);
console.log(
  `\n200 openings of the contract: ${before.toFixed(0)} MB before, ${between.toFixed(0)} MB after 100, ${(await memory()).toFixed(0)} MB after 200`,
);
mkdirSync(made, { recursive: true });
await browser.close();
await launched.close();
server.close();
