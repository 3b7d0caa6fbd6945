import init, { Preview } from 'waraq-preview/preview.js';
import moduleUrl from 'waraq-preview/preview_bg.wasm?url';

import { draw, Outlines } from './draw';
import type { FromWorker, PageSize, PageText, Said, SetPages, SetRequest, ToWorker } from './messages';

/** The URLs of the font files by name. Each URL contains a hash of the content. */
const FONTS: Record<string, string> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../../../crates/fonts/files/*.ttf', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

type Outcome = { kind: 'fonts'; files: string[] } | ({ kind: 'pages' } & SetPages);

interface Sheet {
  canvas: OffscreenCanvas;
  scale: number;
  /** The numbers that were drawn on it. */
  drawn?: Float32Array;
}

const worker = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: (event: MessageEvent<ToWorker>) => void;
};
const say = (message: FromWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);

/** The maximum side of a canvas in pixels in all browsers. */
const MOST_PIXELS = 8192;

const glyphs = new Map<number, Path2D | null>();
const fetched = new Map<string, Promise<void>>();

class OpenDocument {
  readonly #sheets = new Map<number, Sheet>();
  readonly #pictures = new Map<number, ImageBitmap | null>();
  readonly #outlines: Outlines;
  #sizes: SetPages['pages'] = [];
  #wanted: SetRequest | null = null;
  #busy = false;
  #left = false;

  constructor(
    private readonly engine: Preview,
    private readonly id: number,
    /** The document's number in the engine. */
    private readonly number: number,
  ) {
    this.#outlines = new Outlines(engine, number, glyphs);
  }

  /** Lays the document out again. Of requests that arrive while fonts are loading only the last counts. */
  async set(request: SetRequest): Promise<void> {
    try {
      this.#wanted = this.#made(request);
    } catch (error) {
      return fail(this.id, error);
    }
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#wanted && !this.#left) {
        const outcome = JSON.parse(this.engine.set(this.number, JSON.stringify(this.#wanted))) as Outcome;
        if (outcome.kind === 'fonts') {
          await Promise.all(outcome.files.map((file) => this.#font(file)));
          continue;
        }
        this.#wanted = null;
        const { pages, blanks, destinations, language, rightToLeft } = outcome;
        const set: SetPages = { pages, blanks, destinations, language, rightToLeft };
        this.#sizes = set.pages;
        this.#draw();
        say({ type: 'pages', document: this.id, set });
      }
    } catch (error) {
      this.#wanted = null;
      fail(this.id, error);
    } finally {
      this.#busy = false;
    }
  }

  /** Returns the request with the values of derived fields, and reports these values. */
  #made(request: SetRequest): SetRequest {
    const { values, making, ...rest } = request;
    if (!values || !making) return request;
    try {
      const made = JSON.parse(this.engine.derive(JSON.stringify({ ...making, values }))) as {
        values: Record<string, string>;
        derived: Record<string, Said>;
      };
      say({ type: 'derived', document: this.id, derived: made.derived });
      return { ...rest, values: made.values, making: null };
    } catch (error) {
      if (isCrash(error)) throw error;
      // Invalid values are refused by the layout.
      return request;
    }
  }

  place(page: number, canvas: OffscreenCanvas, scale: number): void {
    this.#sheets.set(page, { canvas, scale });
    this.#drawSheet(page);
  }

  scale(page: number, scale: number): void {
    const sheet = this.#sheets.get(page);
    if (!sheet || sheet.scale === scale) return;
    sheet.scale = scale;
    delete sheet.drawn;
    this.#drawSheet(page);
  }

  leave(page: number): void {
    this.#sheets.delete(page);
  }

  decoded(key: number, bitmap: ImageBitmap | null): void {
    this.#pictures.set(key, bitmap);
    for (const sheet of this.#sheets.values()) delete sheet.drawn;
    this.#draw();
  }

  close(): void {
    this.#left = true;
    this.#sheets.clear();
    this.#pictures.forEach((bitmap) => bitmap?.close());
    this.engine.close(this.number);
  }

  #font(file: string): Promise<void> {
    let coming = fetched.get(file);
    if (!coming) {
      coming = fetchBytes(addressOf(file)).then((data) => void this.engine.addFont(file, data));
      fetched.set(file, coming);
      // A font that failed to load is requested again the next time.
      coming.catch(() => fetched.delete(file));
    }
    return coming;
  }

  #draw(): void {
    [...this.#sheets.keys()].sort((a, b) => a - b).forEach((page) => this.#drawSheet(page));
  }

  #drawSheet(page: number): void {
    const sheet = this.#sheets.get(page);
    const drawing = sheet && this.engine.drawing(this.number, page);
    if (!sheet || !drawing || (sheet.drawn && same(sheet.drawn, drawing))) return;
    const set = this.engine.text(this.number, page);
    const context = sheet.canvas.getContext('2d', { alpha: false });
    if (!context) return;
    const { width, height } = pixels(this.#sizes[page], sheet.scale);
    if (sheet.canvas.width !== width || sheet.canvas.height !== height) {
      sheet.canvas.width = width;
      sheet.canvas.height = height;
    }
    draw(context, drawing, sheet.scale, {
      glyph: (font, id) => this.#outlines.glyph(font, id),
      picture: (key) => this.#picture(key),
    });
    sheet.drawn = drawing;
    if (set) say({ type: 'drawn', document: this.id, page, text: JSON.parse(set) as PageText });
  }

  #picture(key: number): ImageBitmap | null {
    const known = this.#pictures.get(key);
    if (known !== undefined) return known;
    this.#pictures.set(key, null);
    const picture = this.engine.image(this.number, key);
    if (!picture) return null;
    const { data, kind } = picture;
    picture.free();
    createImageBitmap(new Blob([data], { type: kind })).then(
      (bitmap) => this.decoded(key, bitmap),
      // SVG pictures can be decoded only by a page, not in a worker.
      () => say({ type: 'undecoded', document: this.id, key, data, kind }, [data.buffer]),
    );
    return null;
  }
}

/** Returns the size of a page's canvas in pixels. */
function pixels(size: PageSize | undefined, scale: number) {
  const side = (points: number) => Math.min(MOST_PIXELS, Math.max(1, Math.round(points * scale)));
  return { width: side(size?.width ?? 1), height: side(size?.height ?? 1) };
}

function same(one: Float32Array, other: Float32Array): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

function addressOf(file: string): string {
  const address = FONTS[file];
  if (!address) throw new Error(`the site has no ${file}`);
  return address;
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Returns true if the engine has crashed, by a trap or a stack overflow. Its memory cannot be used any more. */
function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** Reports an error. The engine throws its error codes as JSON. */
function fail(document: number, error: unknown): void {
  if (isCrash(error)) return say({ type: 'broken' });
  let code = 'unavailable';
  if (typeof error === 'string') {
    try {
      code = (JSON.parse(error) as { code: string }).code;
    } catch {
      code = 'internal';
    }
  }
  say({ type: 'failed', document, code });
}

const documents = new Map<number, OpenDocument>();

function open(engine: Preview, id: number, bytes: Uint8Array): void {
  try {
    const number = engine.open(bytes);
    documents.set(id, new OpenDocument(engine, id, number));
    say({ type: 'opened', document: id, fields: JSON.parse(engine.fields(number)) as string[] });
  } catch (error) {
    fail(id, error);
  }
}

function take(engine: Preview, message: Exclude<ToWorker, { type: 'ping' }>): void {
  if (message.type === 'open') return open(engine, message.document, message.bytes);
  const document = documents.get(message.document);
  switch (message.type) {
    case 'set':
      void document?.set(message.request);
      break;
    case 'sheet':
      document?.place(message.page, message.canvas, message.scale);
      break;
    case 'scale':
      document?.scale(message.page, message.scale);
      break;
    case 'leave':
      document?.leave(message.page);
      break;
    case 'picture':
      document?.decoded(message.key, message.bitmap);
      break;
    case 'close':
      document?.close();
      documents.delete(message.document);
      break;
  }
}

const started = init({ module_or_path: moduleUrl }).then(() => new Preview());
started.catch(() => say({ type: 'broken' }));
// Messages that arrive while the module is loading are handled in order.
worker.onmessage = ({ data }) => {
  if (data.type === 'ping') return say({ type: 'pong' });
  void started.then(
    (engine) => take(engine, data),
    () => undefined,
  );
};
// A crash while a page is drawn is an error that no call handles.
self.addEventListener('unhandledrejection', ({ reason }) => {
  if (isCrash(reason)) say({ type: 'broken' });
});
