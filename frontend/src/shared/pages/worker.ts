import init, { Preview } from 'waraq-preview/preview.js';
import moduleUrl from 'waraq-preview/preview_bg.wasm?url';

import type { FieldValues, StructuredField } from '@/shared/fields/values';

import { drawPage, GlyphOutlines } from './draw';
import { findSectionConditions } from './findSections';
import type {
  MessageFromWorker,
  PageSize,
  PageText,
  DerivedValue,
  LaidOutPages,
  LayoutRequest,
  MessageToWorker,
} from './messages';

/** The URLs of the font files by name. Each URL contains a hash of the content. */
const FONT_URLS: Record<string, string> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../../../crates/fonts/files/*.ttf', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

type LayoutOutcome = { kind: 'fonts'; files: string[] } | ({ kind: 'pages' } & LaidOutPages);

interface Sheet {
  canvas: OffscreenCanvas;
  scale: number;
  /** The drawing that the canvas shows. */
  drawn?: Float32Array;
}

const worker = self as unknown as {
  postMessage(message: MessageFromWorker, transfer?: Transferable[]): void;
  onmessage: (event: MessageEvent<MessageToWorker>) => void;
};
const postToPage = (message: MessageFromWorker, transfer: Transferable[] = []) =>
  worker.postMessage(message, transfer);

/** The maximum side of a canvas in pixels in all browsers. */
const MAX_CANVAS_PX = 8192;

const sharedOutlines = new Map<number, Path2D | null>();
const fontPromises = new Map<string, Promise<void>>();

class OpenDocument {
  readonly #sheets = new Map<number, Sheet>();
  readonly #pictures = new Map<number, ImageBitmap | null>();
  readonly #outlines: GlyphOutlines;
  #pageSizes: LaidOutPages['pages'] = [];
  #nextRequest: LayoutRequest | null = null;
  #isLayingOut = false;
  #isClosed = false;
  #searchesSections: boolean;

  constructor(
    private readonly engine: Preview,
    private readonly documentId: number,
    /** The document's id in the engine. */
    private readonly engineId: number,
    private readonly bytes: Uint8Array,
    private readonly structure: StructuredField[] | null,
  ) {
    this.#searchesSections = structure?.some(({ type }) => type === 'yes_no') ?? false;
    this.#outlines = new GlyphOutlines(engine, engineId, sharedOutlines);
  }

  /** Lays the document out again. If several requests arrive while fonts are loading, only the last is used. */
  async layOut(request: LayoutRequest): Promise<void> {
    try {
      this.#nextRequest = this.#withDerivedValues(request);
    } catch (error) {
      return reportError(this.documentId, error);
    }
    if (this.#isLayingOut) return;
    this.#isLayingOut = true;
    try {
      while (this.#nextRequest && !this.#isClosed) {
        const outcome = JSON.parse(
          this.engine.layOut(this.engineId, JSON.stringify(this.#nextRequest)),
        ) as LayoutOutcome;
        if (outcome.kind === 'fonts') {
          await Promise.all(outcome.files.map((file) => this.#loadFont(file)));
          continue;
        }
        this.#nextRequest = null;
        const { pages, blanks, destinations, language, rightToLeft } = outcome;
        const layout: LaidOutPages = { pages, blanks, destinations, language, rightToLeft };
        this.#pageSizes = layout.pages;
        this.#drawSheets();
        postToPage({ type: 'pages', document: this.documentId, layout });
        if (this.#searchesSections) void this.#findSections();
      }
    } catch (error) {
      this.#nextRequest = null;
      reportError(this.documentId, error);
    } finally {
      this.#isLayingOut = false;
    }
  }

  /** Finds the sections that fields lie in, with a second copy of the document, so that its pages stay as they are. */
  async #findSections(): Promise<void> {
    this.#searchesSections = false;
    const { engine, structure } = this;
    let copy: number | null = null;
    try {
      const structureJson = JSON.stringify(structure);
      const opened = (copy = engine.open(this.bytes, structureJson));
      const names = JSON.parse(engine.fields(opened)) as string[];
      const conditions = await findSectionConditions(structure ?? [], async (values) => {
        const request: LayoutRequest = { ...SECTION_REQUEST, values };
        for (;;) {
          // Layouts for the pages that are shown come first.
          await new Promise((resolve) => setTimeout(resolve));
          if (this.#isClosed) throw new Error('closed');
          const outcome = JSON.parse(engine.layOut(opened, JSON.stringify(request))) as LayoutOutcome;
          if (outcome.kind === 'pages') return new Set(outcome.blanks.map(({ field }) => names[field] ?? ''));
          await Promise.all(outcome.files.map((file) => this.#loadFont(file)));
        }
      });
      postToPage({ type: 'sections', document: this.documentId, conditions });
    } catch (error) {
      // Without the sections the form shows all fields.
      if (isCrash(error)) return reportError(this.documentId, error);
    }
    if (copy !== null) engine.close(copy);
  }

  /** Returns the request with the values of derived fields, and reports these values. */
  #withDerivedValues(request: LayoutRequest): LayoutRequest {
    const { values, derivations, ...rest } = request;
    if (!values || !derivations) return request;
    try {
      const result = JSON.parse(this.engine.derive(JSON.stringify({ ...derivations, values }))) as {
        values: FieldValues;
        derived: Record<string, DerivedValue>;
      };
      postToPage({ type: 'derived', document: this.documentId, derived: result.derived });
      return { ...rest, values: result.values, derivations: null };
    } catch (error) {
      if (isCrash(error)) throw error;
      // Invalid values are refused by the layout.
      return request;
    }
  }

  attachCanvas(page: number, canvas: OffscreenCanvas, scale: number): void {
    this.#sheets.set(page, { canvas, scale });
    this.#drawSheet(page);
  }

  setScale(page: number, scale: number): void {
    const sheet = this.#sheets.get(page);
    if (!sheet || sheet.scale === scale) return;
    sheet.scale = scale;
    delete sheet.drawn;
    this.#drawSheet(page);
  }

  detachCanvas(page: number): void {
    this.#sheets.delete(page);
  }

  addPicture(key: number, bitmap: ImageBitmap | null): void {
    this.#pictures.set(key, bitmap);
    for (const sheet of this.#sheets.values()) delete sheet.drawn;
    this.#drawSheets();
  }

  close(): void {
    this.#isClosed = true;
    this.#sheets.clear();
    this.#pictures.forEach((bitmap) => bitmap?.close());
    this.engine.close(this.engineId);
  }

  #loadFont(file: string): Promise<void> {
    let fontPromise = fontPromises.get(file);
    if (!fontPromise) {
      fontPromise = fetchBytes(fontUrl(file)).then((data) => void this.engine.addFont(file, data));
      fontPromises.set(file, fontPromise);
      // A font that failed to load is requested again the next time.
      fontPromise.catch(() => fontPromises.delete(file));
    }
    return fontPromise;
  }

  #drawSheets(): void {
    [...this.#sheets.keys()].sort((a, b) => a - b).forEach((page) => this.#drawSheet(page));
  }

  #drawSheet(page: number): void {
    const sheet = this.#sheets.get(page);
    const drawing = sheet && this.engine.drawing(this.engineId, page);
    if (!sheet || !drawing || (sheet.drawn && areEqual(sheet.drawn, drawing))) return;
    const text = this.engine.text(this.engineId, page);
    const context = sheet.canvas.getContext('2d', { alpha: false });
    if (!context) return;
    const { width, height } = canvasSize(this.#pageSizes[page], sheet.scale);
    if (sheet.canvas.width !== width || sheet.canvas.height !== height) {
      sheet.canvas.width = width;
      sheet.canvas.height = height;
    }
    drawPage(context, drawing, sheet.scale, {
      glyph: (font, id) => this.#outlines.glyph(font, id),
      picture: (key) => this.#getPicture(key),
    });
    sheet.drawn = drawing;
    if (text)
      postToPage({ type: 'drawn', document: this.documentId, page, text: JSON.parse(text) as PageText });
  }

  #getPicture(key: number): ImageBitmap | null {
    const loaded = this.#pictures.get(key);
    if (loaded !== undefined) return loaded;
    this.#pictures.set(key, null);
    const picture = this.engine.image(this.engineId, key);
    if (!picture) return null;
    const { data, kind } = picture;
    picture.free();
    createImageBitmap(new Blob([data], { type: kind })).then(
      (bitmap) => this.addPicture(key, bitmap),
      // SVG pictures can be decoded only by a page, not in a worker.
      () => postToPage({ type: 'decodePicture', document: this.documentId, key, data, kind }, [data.buffer]),
    );
    return null;
  }
}

/** The layouts that show which fields are printed. */
const SECTION_REQUEST: LayoutRequest = {
  values: null,
  derivations: null,
  pictureSizes: {},
  blank: false,
  now: 0,
  country: null,
  comments: false,
  changes: false,
};

/** Returns the size of a page's canvas in pixels. */
function canvasSize(size: PageSize | undefined, scale: number) {
  const side = (points: number) => Math.min(MAX_CANVAS_PX, Math.max(1, Math.round(points * scale)));
  return { width: side(size?.width ?? 1), height: side(size?.height ?? 1) };
}

function areEqual(one: Float32Array, other: Float32Array): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

function fontUrl(file: string): string {
  const url = FONT_URLS[file];
  if (!url) throw new Error(`the site has no ${file}`);
  return url;
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns true if the engine has crashed, by a trap or a stack overflow. Its memory can no longer be used. */
function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** Reports an error. The engine throws its error codes as JSON. */
function reportError(document: number, error: unknown): void {
  if (isCrash(error)) return postToPage({ type: 'crashed' });
  let code = 'unavailable';
  if (typeof error === 'string') {
    try {
      code = (JSON.parse(error) as { code: string }).code;
    } catch {
      code = 'internal';
    }
  }
  postToPage({ type: 'failed', document, code });
}

const documents = new Map<number, OpenDocument>();

function openDocument(
  engine: Preview,
  id: number,
  bytes: Uint8Array,
  structure: StructuredField[] | null,
): void {
  try {
    const number = engine.open(bytes, structure && JSON.stringify(structure));
    documents.set(id, new OpenDocument(engine, id, number, bytes, structure));
    postToPage({ type: 'opened', document: id, fields: JSON.parse(engine.fields(number)) as string[] });
  } catch (error) {
    reportError(id, error);
  }
}

function runTask(engine: Preview, { document, task, bytes, input }: TaskMessage): void {
  try {
    if (task === 'detect' || task === 'find') {
      const report = task === 'detect' ? engine.detect(bytes) : engine.find(bytes, input);
      return postToPage({ type: 'taskDone', document, bytes: null, report });
    }
    const changed = task === 'convert' ? engine.convert(bytes) : engine.mark(bytes, input);
    const { data, report } = changed;
    changed.free();
    postToPage({ type: 'taskDone', document, bytes: data, report }, [data.buffer]);
  } catch (error) {
    reportError(document, error);
  }
}

type TaskMessage = Extract<MessageToWorker, { type: 'task' }>;

function handleMessage(engine: Preview, message: Exclude<MessageToWorker, { type: 'ping' }>): void {
  if (message.type === 'open')
    return openDocument(engine, message.document, message.bytes, message.structure);
  if (message.type === 'task') return runTask(engine, message);
  const document = documents.get(message.document);
  switch (message.type) {
    case 'layOut':
      void document?.layOut(message.request);
      break;
    case 'attachCanvas':
      document?.attachCanvas(message.page, message.canvas, message.scale);
      break;
    case 'setScale':
      document?.setScale(message.page, message.scale);
      break;
    case 'detachCanvas':
      document?.detachCanvas(message.page);
      break;
    case 'addPicture':
      document?.addPicture(message.key, message.bitmap);
      break;
    case 'close':
      document?.close();
      documents.delete(message.document);
      break;
  }
}

const enginePromise = init({ module_or_path: moduleUrl }).then(() => new Preview());
enginePromise.catch(() => postToPage({ type: 'crashed' }));
// Messages that arrive while the module is loading are handled in order.
worker.onmessage = ({ data }) => {
  if (data.type === 'ping') return postToPage({ type: 'pong' });
  void enginePromise.then(
    (engine) => handleMessage(engine, data),
    () => undefined,
  );
};
// A crash while a page is drawn is an error that no call handles.
self.addEventListener('unhandledrejection', ({ reason }) => {
  if (isCrash(reason)) postToPage({ type: 'crashed' });
});
