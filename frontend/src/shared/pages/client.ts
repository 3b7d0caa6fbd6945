import type { FromWorker, PageText, Said, SetPages, SetRequest, ToWorker } from './messages';

/** Returns true if this browser can lay out pages itself. */
export function canSetPages(): boolean {
  return (
    typeof WebAssembly === 'object' &&
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype
  );
}

/** Callbacks for the events of a document. */
export interface Listener {
  opened(fields: string[]): void;
  /** Called with the values of derived fields. */
  derived(derived: Record<string, Said>): void;
  pages(set: SetPages): void;
  text(page: number, text: PageText): void;
  /** Called with an error code, or `unavailable` if the engine or its fonts could not be loaded. */
  failed(code: string): void;
  /** Called when the engine has crashed or its worker has ended. The document must be opened again. */
  stopped(): void;
}

/** The interval in which a worker that owes an answer is asked for a sign of life, in milliseconds. */
const PING_MS = 5_000;
/** The number of unanswered pings after which a worker counts as ended. A layout may take some seconds. */
const MOST_PINGS = 3;
/** The time after which a worker without documents is released, in milliseconds. */
const IDLE_MS = 30_000;

let worker: Worker | null = null;
let last = 0;
const listeners = new Map<number, Listener>();
/** The documents for which the worker owes an answer. */
const due = new Set<number>();
let pinging: ReturnType<typeof setInterval> | undefined;
let pings = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

function theWorker(): Worker {
  if (worker) return worker;
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  // A worker that was given up may still send something.
  started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (worker === started) hear(data);
  };
  started.onerror = () => {
    if (worker === started) breakDown();
  };
  worker = started;
  return started;
}

/** Stops the worker. The next document starts a new one. */
function release(): void {
  clearInterval(pinging);
  clearTimeout(idle);
  pinging = undefined;
  due.clear();
  worker?.terminate();
  worker = null;
}

/** Stops a worker that has crashed, with all its open documents. */
function breakDown(): void {
  release();
  const left = [...listeners.values()];
  listeners.clear();
  left.forEach((listener) => listener.stopped());
}

/** Watches the worker while it owes an answer: one that has ended sends no event. */
function expectAnswer(document: number): void {
  due.add(document);
  if (pinging !== undefined) return;
  pings = 0;
  pinging = setInterval(() => {
    if (pings >= MOST_PINGS) return breakDown();
    pings += 1;
    say({ type: 'ping' });
  }, PING_MS);
}

function answered(document: number): void {
  due.delete(document);
  if (due.size > 0) return;
  clearInterval(pinging);
  pinging = undefined;
}

function hear(message: FromWorker): void {
  pings = 0;
  if (message.type === 'broken') return breakDown();
  if (message.type === 'pong') return;
  const listener = listeners.get(message.document);
  switch (message.type) {
    case 'opened':
      listener?.opened(message.fields);
      break;
    case 'derived':
      listener?.derived(message.derived);
      break;
    case 'pages':
      listener?.pages(message.set);
      break;
    case 'drawn':
      listener?.text(message.page, message.text);
      break;
    case 'failed':
      listener?.failed(message.code);
      break;
    case 'undecoded':
      void decode(message);
      break;
  }
}

async function decode({ document, key, data, kind }: Extract<FromWorker, { type: 'undecoded' }>) {
  const url = URL.createObjectURL(new Blob([data], { type: kind }));
  let bitmap: ImageBitmap | null = null;
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    bitmap = await createImageBitmap(image);
  } catch {
    // A picture that cannot be decoded is left out.
  }
  URL.revokeObjectURL(url);
  if (listeners.has(document) && bitmap) say({ type: 'picture', document, key, bitmap }, [bitmap]);
}

function say(message: ToWorker, transfer: Transferable[] = []): void {
  theWorker().postMessage(message, transfer);
}

/** A document that is open in the worker. */
export interface LiveDocument {
  /** Lays the document out again. Of requests that arrive during a layout only the last counts. */
  set(request: SetRequest): void;
  /** Draws a page (from 0) on a canvas whenever it changes; `scale` is in pixels per point. */
  show(page: number, canvas: HTMLCanvasElement, scale: number): { scale(scale: number): void; leave(): void };
  close(): void;
}

export function openDocument(bytes: Uint8Array<ArrayBuffer>, listener: Listener): LiveDocument {
  const document = (last += 1);
  clearTimeout(idle);
  let setting = false;
  let waiting: SetRequest | null = null;
  const set = (request: SetRequest) => {
    if (setting) {
      waiting = request;
      return;
    }
    setting = true;
    expectAnswer(document);
    say({ type: 'set', document, request });
  };
  const settled = () => {
    setting = false;
    answered(document);
    const next = waiting;
    waiting = null;
    if (next) set(next);
  };
  listeners.set(document, {
    ...listener,
    pages(pages) {
      settled();
      listener.pages(pages);
    },
    failed(code) {
      listener.failed(code);
      settled();
    },
  });
  const open = () => listeners.has(document);
  // The worker gets a copy, because the caller keeps its bytes.
  const copy = bytes.slice();
  say({ type: 'open', document, bytes: copy }, [copy.buffer]);
  return {
    set: (request) => open() && set(request),
    show(page, canvas, scale) {
      const drawn = canvas.transferControlToOffscreen();
      if (open()) say({ type: 'sheet', document, page, canvas: drawn, scale }, [drawn]);
      return {
        scale: (scale) => open() && say({ type: 'scale', document, page, scale }),
        leave: () => open() && say({ type: 'leave', document, page }),
      };
    },
    close() {
      if (!listeners.delete(document) || !worker) return;
      answered(document);
      say({ type: 'close', document });
      if (listeners.size === 0) idle = setTimeout(release, IDLE_MS);
    },
  };
}
