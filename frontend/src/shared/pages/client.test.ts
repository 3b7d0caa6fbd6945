import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { FromWorker, SetRequest, ToWorker } from './messages';

let workers: FakeWorker[];

/** A worker that answers only what the test says. */
class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: ToWorker[] = [];
  readonly terminate = vi.fn();
  constructor() {
    workers.push(this);
  }
  postMessage(message: ToWorker): void {
    this.sent.push(message);
  }
  says(data: FromWorker): void {
    this.onmessage?.({ data });
  }
}

const request: SetRequest = {
  values: null,
  making: null,
  blank: false,
  now: 0,
  comments: false,
  changes: false,
};
const pages = { pages: [], blanks: [], destinations: {}, language: null, rightToLeft: false };
const listener = () => ({
  opened: vi.fn(),
  derived: vi.fn(),
  pages: vi.fn(),
  text: vi.fn(),
  failed: vi.fn(),
  stopped: vi.fn(),
});

async function opened() {
  const { openDocument } = await import('./client');
  const heard = listener();
  const document = openDocument(new Uint8Array([1, 2]), heard);
  const worker = workers.at(-1) as FakeWorker;
  const id = (worker.sent.findLast(({ type }) => type === 'open') as { document: number }).document;
  return { openDocument, heard, document, worker, id };
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
    ['by a trap', (worker) => worker.says({ type: 'broken' })],
    ['by an error of its own', (worker) => worker.onerror?.()],
  ])('%s is reported, and the next document has a new one', async (_, crash) => {
    const { heard, document, worker, openDocument } = await opened();
    crash(worker);
    expect(heard.stopped).toHaveBeenCalledOnce();
    expect(worker.terminate).toHaveBeenCalledOnce();
    // The closed document sends nothing to the new worker.
    document.set(request);
    document.close();
    openDocument(new Uint8Array([1, 2]), listener());
    expect(workers).toHaveLength(2);
    expect(workers[1]?.sent.map(({ type }) => type)).toEqual(['open']);
    worker.says({ type: 'broken' });
    expect(workers[1]?.terminate).not.toHaveBeenCalled();
  });
});

describe('a worker that ends without a word', () => {
  it('is noticed while it owes an answer', async () => {
    const { heard, document, worker } = await opened();
    document.set(request);
    vi.advanceTimersByTime(15_000);
    expect(heard.stopped).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(heard.stopped).toHaveBeenCalledOnce();
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('is none that loads its fonts slowly, nor one that has nothing to do', async () => {
    const { heard, document, worker, id } = await opened();
    document.set(request);
    for (let times = 0; times < 20; times += 1) {
      vi.advanceTimersByTime(5_000);
      expect(worker.sent.at(-1)).toEqual({ type: 'ping' });
      worker.says({ type: 'pong' });
    }
    worker.says({ type: 'pages', document: id, set: pages });
    const { length } = worker.sent;
    vi.advanceTimersByTime(600_000);
    expect(worker.sent).toHaveLength(length);
    expect(heard.stopped).not.toHaveBeenCalled();
  });
});

describe('a worker without documents', () => {
  it('is released after half a minute', async () => {
    const { document, worker } = await opened();
    document.close();
    vi.advanceTimersByTime(29_999);
    expect(worker.terminate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it('stays if another one is opened meanwhile', async () => {
    const { document, worker, openDocument } = await opened();
    document.close();
    openDocument(new Uint8Array([1]), listener());
    vi.advanceTimersByTime(60_000);
    expect(worker.terminate).not.toHaveBeenCalled();
    expect(workers).toHaveLength(1);
  });
});
