// `cargo xtask bench preview`: node run.mjs DOCUMENTS OUT [MORE …]
// Measures how soon pages appear and keys take effect in Chromium, compared with docx-preview on the same files.
// DOCUMENTS is the folder of the catalogue's .docx files, OUT a folder for build output, MORE additional files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import JSZip from 'jszip';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const [documents, outFolder, ...more] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const KEYS = 60;
const TIMES = 10;

await build({
  configFile: join(root, 'vite.config.ts'),
  root: import.meta.dirname,
  base: '/',
  logLevel: 'error',
  build: { outDir: outFolder, emptyOutDir: true, manifest: false, chunkSizeWarningLimit: 4000 },
});

/** Repeats the body of a document, to build a long one. */
async function repeatBody(file, times) {
  const zip = await JSZip.loadAsync(readFileSync(file));
  const xml = await zip.file('word/document.xml').async('string');
  const [, before, body, section] = /^(.*<w:body>)(.*?)(<w:sectPr(?:(?!<w:sectPr).)*<\/w:body>.*)$/s.exec(
    xml,
  );
  zip.file('word/document.xml', before + body.repeat(times) + section);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const templateFile = (name) => join(documents, `${name}.docx`);
/** The list of the catalogue's invoice, which fills several pages with 200 rows. */
const items = (rows) => ({ name: 'Items', columns: ['Description', 'Quantity', 'Unit price'], rows });
const invoice = readFileSync(templateFile('en-invoice'));
const cases = [
  ['letter', readFileSync(templateFile('en-letter-of-resignation'))],
  ['contract', await repeatBody(templateFile('en-residential-tenancy-agreement'), 2)],
  ['long contract', await repeatBody(templateFile('en-residential-tenancy-agreement'), 11)],
  ['Arabic contract', readFileSync(templateFile('ar-residential-lease'))],
  ['invoice, 3 rows', invoice, items(3)],
  ['invoice, 200 rows', invoice, items(200)],
  ...more.map((file) => [basename(file), readFileSync(file)]),
];

const MEDIA_TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};
const sentFiles = [];
const server = createServer((request, response) => {
  const path = join(
    outFolder,
    request.url === '/' ? 'index.html' : new URL(request.url, 'http://x').pathname,
  );
  if (!existsSync(path)) return void response.writeHead(404).end();
  const bytes = brotliCompressSync(readFileSync(path));
  sentFiles.push([basename(path), bytes.length]);
  response.writeHead(200, {
    'content-type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    'content-encoding': 'br',
  });
  response.end(bytes);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${server.address().port}/`;

const browserServer = await chromium.launchServer({
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
const browser = await chromium.connect(browserServer.wsEndpoint());
const page = await browser.newPage();
await page.goto(address);
await page.waitForFunction(() => 'bench' in window);
const call = (name, bytes, count, list) =>
  page.evaluate(
    ([name, bytes, count, list]) => window.bench[name](bytes, count, list ?? undefined),
    [name, bytes.toString('base64'), count, list],
  );

const percentile = (numbers, fraction) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * fraction))];
const ms = (number) => (number === undefined ? '–' : number.toFixed(number < 10 ? 1 : 0)).padStart(7);
const longest = (tasks) =>
  tasks.length === 0 ? 'none' : `${tasks.length}, to ${Math.round(Math.max(...tasks))} ms`;

// The module and the fonts of the first document are fetched once, and cached from then on.
await call('measureLivePages', cases[0][1], 1);
const bytesSent = (pattern) =>
  sentFiles.filter(([name]) => pattern.test(name)).reduce((sum, [, bytes]) => sum + bytes, 0);
const megabytes = (bytes) => (bytes / 1e6).toFixed(2);
console.log(
  `engine ${megabytes(bytesSent(/\.wasm$/))} MB, fonts of a letter ${megabytes(bytesSent(/\.ttf$/))} MB (brotli)\n`,
);
/** Prints the measurements of every document for Waraq and for docx-preview. */
async function printTable() {
  console.log(
    'milliseconds                          pages  first page   key p50   key p95  drawn p95  long tasks',
  );
  for (const [name, bytes, list] of cases) {
    await call('measureLivePages', bytes, 1, list);
    const waraq = await call('measureLivePages', bytes, KEYS, list);
    console.log(
      `${name.padEnd(26)} Waraq      ${String(waraq.pages).padStart(5)}     ${ms(waraq.firstPageMs)}   ${ms(percentile(waraq.keyMs, 0.5))}   ${ms(percentile(waraq.keyMs, 0.95))}    ${ms(percentile(waraq.drawnMs, 0.95))}  ${longest(waraq.longTasks)}`,
    );
    const docxPreview = await call('measureDocxPreview', bytes, TIMES);
    console.log(
      `${''.padEnd(26)} docx-preview ${String(docxPreview.pages).padStart(3)}     ${ms(docxPreview.firstPageMs)}   ${ms(percentile(docxPreview.repeatMs, 0.5))}   ${ms(percentile(docxPreview.repeatMs, 0.95))}          –  ${longest(docxPreview.longTasks)}`,
    );
  }
}
await printTable();

/** Returns a value from the Linux status file of a process, or undefined if the process has ended. */
function readStatus(id, name) {
  try {
    return new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Returns the process ids of the browser. */
function browserProcesses() {
  const isOfBrowser = (id) => {
    for (let at = id; at && at !== '1'; at = readStatus(at, 'PPid'))
      if (Number(at) === browserServer.process().pid) return true;
    return false;
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfBrowser(name));
}

/** Returns the memory of the page and its workers in MB, including that of the engine. */
async function memoryMb() {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  // Linux: the resident memory of the browser's renderer processes.
  const isRenderer = (id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  };
  const sum = browserProcesses()
    .filter(isRenderer)
    .reduce((all, id) => all + Number(readStatus(id, 'VmRSS') ?? 0), 0);
  return sum / 1024;
}
const [, contract] = cases[1];
await call('openRepeatedly', contract, 20);
const before = await memoryMb();
await call('openRepeatedly', contract, 100);
const afterHundred = await memoryMb();
await call('openRepeatedly', contract, 100);
console.log(
  `\n200 openings of the contract: ${before.toFixed(0)} MB before, ${afterHundred.toFixed(0)} MB after 100, ${(await memoryMb()).toFixed(0)} MB after 200`,
);

/**
 * The period of the processor quota in microseconds. `measureSlowed` repeats the measurements with a share of all cores,
 * by a Linux control group that needs root rights.
 */
const QUOTA_PERIOD_US = 10_000;
async function measureSlowed(fraction) {
  const quota = Math.round(QUOTA_PERIOD_US * availableParallelism() * fraction);
  const isVersion2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const group = join(isVersion2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu', `waraq-${process.pid}`);
  try {
    mkdirSync(group);
    if (isVersion2) writeFileSync(join(group, 'cpu.max'), `${quota} ${QUOTA_PERIOD_US}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(QUOTA_PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
    browserProcesses().forEach((id) => writeFileSync(join(group, 'cgroup.procs'), id));
  } catch (error) {
    console.log(`\nnot measured with a part of the processor: ${error.message}`);
    return () => undefined;
  }
  console.log(`\nwith ${fraction * 100} % of the processor`);
  await printTable();
  return () => rmdirSync(group);
}
const removeGroup = await measureSlowed(0.25);
mkdirSync(outFolder, { recursive: true });
await browser.close();
await browserServer.close();
server.close();
// A control group can be removed only after its last process has ended.
await new Promise((done) => setTimeout(done, 1000));
removeGroup();
