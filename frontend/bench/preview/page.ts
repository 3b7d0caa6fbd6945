import { renderAsync } from 'docx-preview';

import { openDocument } from '@/shared/pages/client';
import type { FieldValues } from '@/shared/fields/values';
import type { LaidOutPages, LayoutRequest } from '@/shared/pages/messages';

/** The measurements of one document, in milliseconds. */
export interface Measured {
  pages: number;
  fields: number;
  /** Time from the document's bytes to the first page on the screen. */
  firstPageMs: number;
  /** Times from a key to the drawn page, before the next frame of the screen. */
  drawnMs: number[];
  /** Times from a key to the page on the screen. */
  keyMs: number[];
  /** Tasks of the main thread longer than 50 ms while keys were pressed. */
  longTasks: number[];
}

export interface MeasuredPeer {
  pages: number;
  firstPageMs: number;
  /** Times to show the document again. Filling it is not included, because docx-preview cannot fill. */
  repeatMs: number[];
  longTasks: number[];
}

/** The width of an A4 page as the product shows it. */
const SCALE = 794 / 595;

const decodeBase64 = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const nextFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

function watchLongTasks() {
  const found: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.push(entry.duration);
  });
  observer.observe({ type: 'longtask' });
  return () => {
    observer.takeRecords().forEach((entry) => found.push(entry.duration));
    observer.disconnect();
    return found;
  };
}

/** A list that is filled before the keys are pressed. The keys change a column of its last row. */
export interface FilledList {
  name: string;
  columns: string[];
  rows: number;
}

/** Returns the fields that take a text. Others, such as yes/no fields, refuse it. */
async function textFields(
  fields: string[],
  layOut: (request: LayoutRequest) => Promise<LaidOutPages>,
  request: LayoutRequest,
): Promise<string[]> {
  const texts: string[] = [];
  for (const field of fields) {
    const isText = await layOut({ ...request, values: { [field]: 'a' } }).then(
      () => true,
      () => false,
    );
    if (isText) texts.push(field);
  }
  return texts;
}

async function measureLivePages(base64: string, keys: number, list?: FilledList): Promise<Measured> {
  const bytes = decodeBase64(base64);
  const canvas = document.createElement('canvas');
  document.querySelector('#first')?.replaceWith(canvas);
  canvas.id = 'first';
  let onPages: (layout: LaidOutPages) => void = () => undefined;
  let onFailed: (code: string) => void = () => undefined;
  let fields: string[] = [];
  const startedAt = performance.now();
  const openedDocument = openDocument(bytes, null, {
    onOpened: (names) => (fields = names),
    onPages: (layout) => onPages(layout),
    onDerived: () => undefined,
    onSections: () => undefined,
    onText: () => undefined,
    onFailed: (code) => onFailed(code),
    onStopped: () => onFailed('stopped'),
  });
  const layOut = (request: LayoutRequest) =>
    new Promise<LaidOutPages>((resolve, reject) => {
      onPages = resolve;
      onFailed = (code) => reject(new Error(code));
      openedDocument.layOut(request);
    });
  const values: FieldValues = {};
  const rows = Array.from({ length: list?.rows ?? 0 }, (_, row) =>
    Object.fromEntries((list?.columns ?? []).map((column) => [column, `${column} ${row + 1}`])),
  );
  if (list) values[list.name] = rows;
  const request = () => ({
    values: { ...values },
    blank: false,
    now: 1_790_000_000,
    country: null,
    comments: false,
    changes: false,
    derivations: null,
    pictureSizes: {},
  });
  openedDocument.showPage(0, canvas, SCALE);
  let pages = await layOut(request());
  await nextFrame();
  const measured: Measured = {
    pages: pages.pages.length,
    fields: fields.length,
    firstPageMs: performance.now() - startedAt,
    drawnMs: [],
    keyMs: [],
    longTasks: [],
  };
  const texts = list || keys === 0 ? [] : await textFields(fields, layOut, request());
  const stopWatching = watchLongTasks();
  const word = 'Zoé Martin & fils, 12 rue des Lilas ';
  for (let key = 0; key < keys && (list || texts.length > 0); key += 1) {
    const typed = word.slice(0, (key % word.length) + 1);
    const column = list?.columns[0];
    const lastRow = rows.at(-1);
    if (list && column && lastRow) {
      values[list.name] = [...rows.slice(0, -1), { ...lastRow, [column]: typed }];
    } else {
      values[texts[Math.floor((key / keys) * texts.length)] ?? ''] = typed;
    }
    const pressedAt = performance.now();
    pages = await layOut(request());
    measured.drawnMs.push(performance.now() - pressedAt);
    await nextFrame();
    measured.keyMs.push(performance.now() - pressedAt);
    await new Promise((done) => setTimeout(done, 20));
  }
  measured.longTasks = stopWatching();
  measured.pages = pages.pages.length;
  openedDocument.close();
  return measured;
}

async function measureDocxPreview(base64: string, times: number): Promise<MeasuredPeer> {
  const bytes = decodeBase64(base64);
  const container = document.querySelector<HTMLElement>('#other');
  if (!container) throw new Error('no #other element');
  const show = async () => {
    const startedAt = performance.now();
    await renderAsync(bytes.slice(), container, undefined, { inWrapper: true });
    await nextFrame();
    return performance.now() - startedAt;
  };
  const firstPageMs = await show();
  const stopWatching = watchLongTasks();
  const repeatMs: number[] = [];
  for (let time = 0; time < times; time += 1) repeatMs.push(await show());
  const longTasks = stopWatching();
  const pages = container.querySelectorAll('section.docx').length;
  container.replaceChildren();
  return { pages, firstPageMs, repeatMs, longTasks };
}

/** Opens and closes the document repeatedly. The caller measures the memory of the page and of the engine. */
async function openRepeatedly(base64: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await measureLivePages(base64, 0);
}

Object.assign(window, { bench: { measureLivePages, measureDocxPreview, openRepeatedly } });
