// `cargo xtask bench preview`: node run.mjs DOCUMENTS MADE [MORE …]
// Measures how soon pages appear and keys take effect in Chromium, compared with docx-preview on the same files.
// DOCUMENTS is the folder of the catalogue's .docx files, MADE a folder for build output, MORE additional files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
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

/** Repeats the body of a document, to build a long one. */
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
  // Playwright needs a path, not a command name.
  executablePath: execFileSync('which', [process.env.WARAQ_BROWSER ?? 'chromium'], {
    encoding: 'utf8',
  }).trim(),
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

// The module and the fonts of the first document are fetched once, and cached from then on.
await call('live', cases[0][1], 1);
const weight = (pattern) =>
  wire.filter(([name]) => pattern.test(name)).reduce((sum, [, bytes]) => sum + bytes, 0);
const megabytes = (bytes) => (bytes / 1e6).toFixed(2);
console.log(
  `engine ${megabytes(weight(/\.wasm$/))} MB, fonts of a letter ${megabytes(weight(/\.ttf$/))} MB (brotli)\n`,
);
/** Prints the measurements of every document for Waraq and for docx-preview. */
async function table() {
  console.log(
    'milliseconds                          pages  first page   key p50   key p95  drawn p95  long tasks',
  );
  for (const [name, bytes] of cases) {
    await call('live', bytes, 1);
    const own = await call('live', bytes, KEYS);
    console.log(
      `${name.padEnd(26)} Waraq      ${String(own.pages).padStart(5)}     ${ms(own.opened)}   ${ms(share(own.keys, 0.5))}   ${ms(share(own.keys, 0.95))}    ${ms(share(own.drawn, 0.95))}  ${longest(own.longTasks)}`,
    );
    const other = await call('peer', bytes, TIMES);
    console.log(
      `${''.padEnd(26)} docx-preview ${String(other.pages).padStart(3)}     ${ms(other.opened)}   ${ms(share(other.again, 0.5))}   ${ms(share(other.again, 0.95))}          –  ${longest(other.longTasks)}`,
    );
  }
}
await table();

/** Returns a value from the Linux status file of a process, or undefined if the process has ended. */
function status(id, what) {
  try {
    return new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Returns the process ids of the browser. */
function processes() {
  const ours = (id) => {
    for (let at = id; at && at !== '1'; at = status(at, 'PPid'))
      if (Number(at) === launched.process().pid) return true;
    return false;
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && ours(name));
}

/** Returns the memory of the page and its workers in bytes, including that of the engine. */
async function memory() {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  // Linux: the resident memory of the browser's renderer processes.
  const renders = (id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  };
  const sum = processes()
    .filter(renders)
    .reduce((all, id) => all + Number(status(id, 'VmRSS') ?? 0), 0);
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

/**
 * The period of the processor quota in microseconds. `slowed` repeats the measurements with a share of all cores,
 * by a Linux control group that needs root rights.
 */
const SLICE_US = 10_000;
async function slowed(part) {
  const quota = Math.round(SLICE_US * availableParallelism() * part);
  const second = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const group = join(second ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu', `waraq-${process.pid}`);
  try {
    mkdirSync(group);
    if (second) writeFileSync(join(group, 'cpu.max'), `${quota} ${SLICE_US}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(SLICE_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
    processes().forEach((id) => writeFileSync(join(group, 'cgroup.procs'), id));
  } catch (error) {
    console.log(`\nnot measured with a part of the processor: ${error.message}`);
    return () => undefined;
  }
  console.log(`\nwith ${part * 100} % of the processor`);
  await table();
  return () => rmdirSync(group);
}
const freed = await slowed(0.25);
mkdirSync(made, { recursive: true });
await browser.close();
await launched.close();
server.close();
// A control group can be removed only after its last process has ended.
await new Promise((done) => setTimeout(done, 1000));
freed();
