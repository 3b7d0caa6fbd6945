import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { MessageFromWorker, LayoutRequest, MessageToWorker } from './messages';

let workers: FakeWorker[];

/** A worker that answers only what the test says. */
class FakeWorker {
  onmessage: ((event: { data: MessageFromWorker }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: MessageToWorker[] = [];
  readonly terminate = vi.fn();
  constructor() {
    workers.push(this);
  }
  postMessage(message: MessageToWorker): void {
    this.sent.push(message);
  }
  receive(data: MessageFromWorker): void {
    this.onmessage?.({ data });
  }
}

const request: LayoutRequest = {
  values: null,
  derivations: null,
  pictureSizes: {},
  blank: false,
  now: 0,
  country: null,
  comments: false,
  changes: false,
};
const pages = { pages: [], blanks: [], destinations: {}, language: null, rightToLeft: false };
const createListener = () => ({
  onOpened: vi.fn(),
  onDerived: vi.fn(),
  onPages: vi.fn(),
  onSections: vi.fn(),
  onText: vi.fn(),
  onFailed: vi.fn(),
  onStopped: vi.fn(),
});

async function openInFakeWorker() {
  const { openDocument } = await import('./client');
  const documentListener = createListener();
  const document = openDocument(new Uint8Array([1, 2]), null, documentListener);
  const worker = workers.at(-1) as FakeWorker;
  const id = (worker.sent.findLast(({ type }) => type === 'open') as { document: number }).document;
  return { openDocument, documentListener, document, worker, id };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  workers = [];
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => void vi.useRealTimers());

describe('a worker that has crashed', () => {
  it.each<[string, (worker: FakeWorker) => void]>([
    ['by a trap', (worker) => worker.receive({ type: 'crashed' })],
    ['by an error of its own', (worker) => worker.onerror?.()],
  ])('%s is reported, and the next document starts a new one', async (_, crash) => {
    const { documentListener, document, worker, openDocument } = await openInFakeWorker();
    crash(worker);
    expect(documentListener.onStopped).toHaveBeenCalledOnce();
    expect(worker.terminate).toHaveBeenCalledOnce();
    // The closed document sends nothing to the new worker.
    document.layOut(request);
    document.close();
    openDocument(new Uint8Array([1, 2]), null, createListener());
    expect(workers).toHaveLength(2);
    expect(workers[1]?.sent.map(({ type }) => type)).toEqual(['open']);
    worker.receive({ type: 'crashed' });
    expect(workers[1]?.terminate).not.toHaveBeenCalled();
  });
});

describe('a worker that ends without an event', () => {
  it('is noticed while a response is due', async () => {
    const { documentListener, document, worker } = await openInFakeWorker();
    document.layOut(request);
    vi.advanceTimersByTime(15_000);
    expect(documentListener.onStopped).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(documentListener.onStopped).toHaveBeenCalledOnce();
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('is not confused with one that loads fonts slowly or has nothing to do', async () => {
    const { documentListener, document, worker, id } = await openInFakeWorker();
    document.layOut(request);
    for (let times = 0; times < 20; times += 1) {
      vi.advanceTimersByTime(5_000);
      expect(worker.sent.at(-1)).toEqual({ type: 'ping' });
      worker.receive({ type: 'pong' });
    }
    worker.receive({ type: 'pages', document: id, layout: pages });
    const { length } = worker.sent;
    vi.advanceTimersByTime(600_000);
    expect(worker.sent).toHaveLength(length);
    expect(documentListener.onStopped).not.toHaveBeenCalled();
  });
});

describe('a worker without documents', () => {
  it('is released after half a minute', async () => {
    const { document, worker } = await openInFakeWorker();
    document.close();
    vi.advanceTimersByTime(29_999);
    expect(worker.terminate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('stays if another one is opened meanwhile', async () => {
    const { document, worker, openDocument } = await openInFakeWorker();
    document.close();
    openDocument(new Uint8Array([1]), null, createListener());
    vi.advanceTimersByTime(60_000);
    expect(worker.terminate).not.toHaveBeenCalled();
    expect(workers).toHaveLength(1);
  });
});

describe('a conversion', () => {
  const report = { converted: 1, remaining: [], omitted: 0, lists: [], pictures: [] };

  async function start() {
    const { convertTemplate } = await import('./client');
    const conversion = convertTemplate(new Uint8Array([1]));
    const worker = workers.at(-1);
    const sent = worker?.sent.find(({ type }) => type === 'task');
    if (!worker || !sent || sent.type !== 'task') throw new Error('nothing was sent');
    return { conversion, worker, id: sent.document };
  }

  it('returns the file and the report, and releases the worker', async () => {
    const { conversion, worker, id } = await start();
    const bytes = new Uint8Array([2]);
    worker.receive({ type: 'taskDone', document: id, bytes, report: JSON.stringify(report) });
    expect(await conversion).toEqual({ bytes, report });
    vi.advanceTimersByTime(30_000);
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('fails with the code of the engine', async () => {
    const { conversion, worker, id } = await start();
    worker.receive({ type: 'failed', document: id, code: 'not_docx' });
    await expect(conversion).rejects.toMatchObject({ code: 'not_docx' });
  });

  it('fails if the worker has crashed', async () => {
    const { conversion, worker } = await start();
    worker.receive({ type: 'crashed' });
    await expect(conversion).rejects.toMatchObject({ code: 'unavailable' });
  });
});
