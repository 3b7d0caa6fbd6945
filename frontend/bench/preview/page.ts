import { renderAsync } from 'docx-preview';

import { openDocument } from '@/shared/pages/client';
import type { SetPages, SetRequest } from '@/shared/pages/messages';

/** The measurements of one document, in milliseconds. */
export interface Measured {
  pages: number;
  fields: number;
  /** Time from the document's bytes to the first page on the screen. */
  opened: number;
  /** Times from a key to the drawn page, before the next frame of the screen. */
  drawn: number[];
  /** Times from a key to the page on the screen. */
  keys: number[];
  /** Tasks of the main thread longer than 50 ms while keys were pressed. */
  longTasks: number[];
}

export interface MeasuredPeer {
  pages: number;
  opened: number;
  /** Times to show the document again with another value, without the filling. */
  again: number[];
  longTasks: number[];
}

/** The width of an A4 page as the product shows it. */
const SCALE = 794 / 595;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
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

async function live(base64: string, keys: number): Promise<Measured> {
  const bytes = bytesOf(base64);
  const fresh = document.createElement('canvas');
  document.querySelector('#first')?.replaceWith(fresh);
  fresh.id = 'first';
  let told: (set: SetPages) => void = () => undefined;
  let failed: (code: string) => void = () => undefined;
  let fields: string[] = [];
  const begun = performance.now();
  const opened = openDocument(bytes, {
    opened: (names) => (fields = names),
    pages: (set) => told(set),
    derived: () => undefined,
    text: () => undefined,
    failed: (code) => failed(code),
    stopped: () => failed('stopped'),
  });
  const set = (request: SetRequest) =>
    new Promise<SetPages>((done, refused) => {
      told = done;
      failed = (code) => refused(new Error(code));
      opened.set(request);
    });
  const values: Record<string, string> = {};
  const request = () => ({
    values: { ...values },
    blank: false,
    now: 1_790_000_000,
    comments: false,
    changes: false,
    making: null,
  });
  opened.show(0, fresh, SCALE);
  let pages = await set(request());
  await nextFrame();
  const measured: Measured = {
    pages: pages.pages.length,
    fields: fields.length,
    opened: performance.now() - begun,
    drawn: [],
    keys: [],
    longTasks: [],
  };
  const watched = watchLongTasks();
  const word = 'Zoé Martin & fils, 12 rue des Lilas ';
  for (let key = 0; key < keys && fields.length > 0; key += 1) {
    const field = fields[Math.floor((key / keys) * fields.length)] ?? '';
    values[field] = word.slice(0, (key % word.length) + 1);
    const pressed = performance.now();
    pages = await set(request());
    measured.drawn.push(performance.now() - pressed);
    await nextFrame();
    measured.keys.push(performance.now() - pressed);
    await new Promise((done) => setTimeout(done, 20));
  }
  measured.longTasks = watched();
  measured.pages = pages.pages.length;
  opened.close();
  return measured;
}

async function peer(base64: string, times: number): Promise<MeasuredPeer> {
  const bytes = bytesOf(base64);
  const place = document.querySelector<HTMLElement>('#other');
  if (!place) throw new Error('no place');
  const show = async () => {
    const begun = performance.now();
    await renderAsync(bytes.slice(), place, undefined, { inWrapper: true });
    await nextFrame();
    return performance.now() - begun;
  };
  const opened = await show();
  const watched = watchLongTasks();
  const again: number[] = [];
  for (let time = 0; time < times; time += 1) again.push(await show());
  const longTasks = watched();
  const pages = place.querySelectorAll('section.docx').length;
  place.replaceChildren();
  return { pages, opened, again, longTasks };
}

/** Opens and closes the document repeatedly. The caller measures the memory of the page and of the engine. */
async function openings(base64: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await live(base64, 0);
}

Object.assign(window, { bench: { live, peer, openings } });
