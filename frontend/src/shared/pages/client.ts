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
}

let worker: Worker | null = null;
let last = 0;
const listeners = new Map<number, Listener>();

function theWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  worker.onerror = breakDown;
  return worker;
}

/** Stops a broken engine with all its open documents. The next document starts a new one. */
function breakDown(): void {
  worker?.terminate();
  worker = null;
  const left = [...listeners.values()];
  listeners.clear();
  left.forEach((listener) => listener.failed('unavailable'));
}

function hear(message: FromWorker): void {
  if (message.type === 'broken') return breakDown();
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
  let setting = false;
  let waiting: SetRequest | null = null;
  const set = (request: SetRequest) => {
    if (setting) {
      waiting = request;
      return;
    }
    setting = true;
    say({ type: 'set', document, request });
  };
  const settled = () => {
    setting = false;
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
      if (listeners.delete(document) && worker) say({ type: 'close', document });
    },
  };
}
