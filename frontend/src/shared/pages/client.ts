import type { SectionConditions } from '@/shared/fields/sectionConditions';
import type { StructuredField } from '@/shared/fields/values';

import type {
  ConversionReport,
  DetectedBlanks,
  FieldMark,
  FileTask,
  FoundPlaces,
  MarkReport,
  MessageFromWorker,
  PageSelection,
  PageText,
  DerivedValue,
  LaidOutPages,
  LayoutRequest,
  MessageToWorker,
} from './messages';

/** Returns true if this browser can lay out pages itself. */
export function canLayOutPages(): boolean {
  return (
    typeof WebAssembly === 'object' &&
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype
  );
}

/** Callbacks for the events of a document. */
export interface DocumentListener {
  onOpened(fields: string[]): void;
  /** Called with the values of derived fields. */
  onDerived(derived: Record<string, DerivedValue>): void;
  onPages(layout: LaidOutPages): void;
  /** Called once, with the sections that fields lie in, if there are any. */
  onSections(conditions: SectionConditions): void;
  onText(page: number, text: PageText): void;
  /** Called with an error code, or `unavailable` if the engine or its fonts could not be loaded. */
  onFailed(code: string): void;
  /** Called when the engine has crashed or its worker has ended. The document must be opened again. */
  onStopped(): void;
}

/** The interval between pings to a worker that has not responded yet, in milliseconds. */
const PING_INTERVAL_MS = 5_000;
/** The number of unanswered pings after which a worker counts as ended. A layout may take some seconds. */
const MAX_UNANSWERED_PINGS = 3;
/** The time after which a worker without documents is released, in milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;

let worker: Worker | null = null;
let lastDocumentId = 0;
const listeners = new Map<number, DocumentListener>();
/** The tasks that are running, by the number of their request. */
const tasks = new Map<number, PendingTask>();
/** The documents that wait for a response of the worker. */
const awaitingResponse = new Set<number>();
let pingTimer: ReturnType<typeof setInterval> | undefined;
let unansweredPings = 0;
let idleTimer: ReturnType<typeof setTimeout> | undefined;

function getWorker(): Worker {
  if (worker) return worker;
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  // A worker that was replaced may still send messages.
  started.onmessage = ({ data }: MessageEvent<MessageFromWorker>) => {
    if (worker === started) handleMessage(data);
  };
  started.onerror = () => {
    if (worker === started) handleCrash();
  };
  worker = started;
  return started;
}

/** Stops the worker. The next document starts a new one. */
function stopWorker(): void {
  clearInterval(pingTimer);
  clearTimeout(idleTimer);
  pingTimer = undefined;
  awaitingResponse.clear();
  worker?.terminate();
  worker = null;
}

/** Stops a worker that has crashed, with all its open documents. */
function handleCrash(): void {
  stopWorker();
  const openListeners = [...listeners.values()];
  listeners.clear();
  openListeners.forEach((listener) => listener.onStopped());
  const openTasks = [...tasks.values()];
  tasks.clear();
  openTasks.forEach(({ reject }) => reject(new TaskError('unavailable')));
}

/** Pings the worker until it responds, because a worker that has ended sends no event. */
function expectResponse(document: number): void {
  awaitingResponse.add(document);
  if (pingTimer !== undefined) return;
  unansweredPings = 0;
  pingTimer = setInterval(() => {
    if (unansweredPings >= MAX_UNANSWERED_PINGS) return handleCrash();
    unansweredPings += 1;
    postToWorker({ type: 'ping' });
  }, PING_INTERVAL_MS);
}

function responseReceived(document: number): void {
  awaitingResponse.delete(document);
  if (awaitingResponse.size > 0) return;
  clearInterval(pingTimer);
  pingTimer = undefined;
}

function handleMessage(message: MessageFromWorker): void {
  unansweredPings = 0;
  if (message.type === 'crashed') return handleCrash();
  if (message.type === 'pong') return;
  const task = tasks.get(message.document);
  if (task) return endTask(message, task);
  const listener = listeners.get(message.document);
  switch (message.type) {
    case 'opened':
      listener?.onOpened(message.fields);
      break;
    case 'derived':
      listener?.onDerived(message.derived);
      break;
    case 'pages':
      listener?.onPages(message.layout);
      break;
    case 'sections':
      listener?.onSections(message.conditions);
      break;
    case 'drawn':
      listener?.onText(message.page, message.text);
      break;
    case 'failed':
      listener?.onFailed(message.code);
      break;
    case 'decodePicture':
      void decodePicture(message);
      break;
  }
}

async function decodePicture({
  document,
  key,
  data,
  kind,
}: Extract<MessageFromWorker, { type: 'decodePicture' }>) {
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
  if (listeners.has(document) && bitmap)
    postToWorker({ type: 'addPicture', document, key, bitmap }, [bitmap]);
}

function postToWorker(message: MessageToWorker, transfer: Transferable[] = []): void {
  getWorker().postMessage(message, transfer);
}

/** A file that a task has changed, and the report. */
export interface ChangedFile<Report> {
  bytes: Uint8Array<ArrayBuffer>;
  report: Report;
}

/** An error of a task with its code. */
export class TaskError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Rewrites a template for docxtemplater, docxtpl or Carbone to the fields of Waraq. */
export const convertTemplate = (bytes: Uint8Array<ArrayBuffer>) =>
  runTask<ConversionReport>('convert', bytes).then(changedFile);

/** Finds the blanks of an ordinary document, with a suggested field for each. */
export const detectBlanks = (bytes: Uint8Array<ArrayBuffer>) =>
  runTask<DetectedBlanks>('detect', bytes).then(({ report }) => report);

/** Turns places of a document into fields. */
export const markFields = (bytes: Uint8Array<ArrayBuffer>, marks: readonly FieldMark[]) =>
  runTask<MarkReport>('mark', bytes, marks).then(changedFile);

/** Finds the place that was selected on a page, and the other places with the same text. */
export const findPlaces = (bytes: Uint8Array<ArrayBuffer>, selection: PageSelection) =>
  runTask<FoundPlaces>('find', bytes, selection).then(({ report }) => report);

interface TaskResult<Report> {
  bytes: Uint8Array<ArrayBuffer> | null;
  report: Report;
}

function changedFile<Report>({ bytes, report }: TaskResult<Report>): ChangedFile<Report> {
  if (!bytes) throw new TaskError('internal');
  return { bytes, report };
}

interface PendingTask {
  resolve: (result: TaskResult<string>) => void;
  reject: (error: TaskError) => void;
}

async function runTask<Report>(
  task: FileTask,
  bytes: Uint8Array<ArrayBuffer>,
  input: unknown = null,
): Promise<TaskResult<Report>> {
  const request = (lastDocumentId += 1);
  clearTimeout(idleTimer);
  const copy = bytes.slice();
  const result = await new Promise<TaskResult<string>>((resolve, reject) => {
    tasks.set(request, { resolve, reject });
    expectResponse(request);
    postToWorker({ type: 'task', document: request, task, bytes: copy, input: JSON.stringify(input) }, [
      copy.buffer,
    ]);
  });
  return { bytes: result.bytes, report: JSON.parse(result.report) as Report };
}

function endTask(message: MessageFromWorker, { resolve, reject }: PendingTask): void {
  if (message.type !== 'taskDone' && message.type !== 'failed') return;
  tasks.delete(message.document);
  responseReceived(message.document);
  releaseIdleWorker();
  if (message.type === 'taskDone') resolve({ bytes: message.bytes, report: message.report });
  else reject(new TaskError(message.code));
}

/** Stops the worker after a while if it has no document and no task. */
function releaseIdleWorker(): void {
  if (listeners.size === 0 && tasks.size === 0) idleTimer = setTimeout(stopWorker, IDLE_TIMEOUT_MS);
}

/** A document that is open in the worker. */
export interface LiveDocument {
  /** Lays the document out again. If several requests arrive during a layout, only the last is used. */
  layOut(request: LayoutRequest): void;
  /** Draws a page (from 0) on a canvas whenever it changes; `scale` is in pixels per point. */
  showPage(
    page: number,
    canvas: HTMLCanvasElement,
    scale: number,
  ): { setScale(scale: number): void; detach(): void };
  close(): void;
}

/** Opens a .docx file. Without a structure the document suggests the types of its fields. */
export function openDocument(
  bytes: Uint8Array<ArrayBuffer>,
  structure: StructuredField[] | null,
  listener: DocumentListener,
): LiveDocument {
  const document = (lastDocumentId += 1);
  clearTimeout(idleTimer);
  let isLayingOut = false;
  let nextRequest: LayoutRequest | null = null;
  const layOut = (request: LayoutRequest) => {
    if (isLayingOut) {
      nextRequest = request;
      return;
    }
    isLayingOut = true;
    expectResponse(document);
    postToWorker({ type: 'layOut', document, request });
  };
  const handleLayoutEnd = () => {
    isLayingOut = false;
    responseReceived(document);
    const next = nextRequest;
    nextRequest = null;
    if (next) layOut(next);
  };
  listeners.set(document, {
    ...listener,
    onPages(pages) {
      handleLayoutEnd();
      listener.onPages(pages);
    },
    onFailed(code) {
      listener.onFailed(code);
      handleLayoutEnd();
    },
  });
  const isOpen = () => listeners.has(document);
  // The worker gets a copy, because the caller keeps its bytes.
  const copy = bytes.slice();
  postToWorker({ type: 'open', document, bytes: copy, structure }, [copy.buffer]);
  return {
    layOut: (request) => isOpen() && layOut(request),
    showPage(page, canvas, scale) {
      const offscreen = canvas.transferControlToOffscreen();
      if (isOpen())
        postToWorker({ type: 'attachCanvas', document, page, canvas: offscreen, scale }, [offscreen]);
      return {
        setScale: (scale) => isOpen() && postToWorker({ type: 'setScale', document, page, scale }),
        detach: () => isOpen() && postToWorker({ type: 'detachCanvas', document, page }),
      };
    },
    close() {
      if (!listeners.delete(document) || !worker) return;
      responseReceived(document);
      postToWorker({ type: 'close', document });
      releaseIdleWorker();
    },
  };
}
