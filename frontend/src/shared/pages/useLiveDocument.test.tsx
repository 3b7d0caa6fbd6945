// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { StructuredField } from '@/shared/fields/values';

import type { DocumentListener } from './client';
import type { LayoutRequest } from './messages';
import { useLiveDocument } from './useLiveDocument';

interface FakeDocument {
  bytes: Uint8Array;
  structure: StructuredField[] | null;
  listener: DocumentListener;
  layOut: ReturnType<typeof vi.fn>;
}
const documents: FakeDocument[] = [];
vi.mock('./client', () => ({
  canLayOutPages: () => true,
  openDocument: (bytes: Uint8Array, structure: StructuredField[] | null, listener: DocumentListener) => {
    const document = { bytes, structure, listener, layOut: vi.fn(), showPage: vi.fn(), close: vi.fn() };
    documents.push(document);
    return document;
  },
}));

const request: LayoutRequest = {
  values: { name: 'typed' },
  derivations: null,
  pictureSizes: {},
  blank: false,
  now: 0,
  country: null,
  comments: false,
  changes: false,
};
const pages = { pages: [], blanks: [], destinations: {}, language: null, rightToLeft: false };

async function renderHook() {
  let now: ReturnType<typeof useLiveDocument> | undefined;
  const TestComponent = (props: {
    docx: Uint8Array<ArrayBuffer>;
    request: LayoutRequest;
    structure: StructuredField[] | undefined;
  }) => {
    now = useLiveDocument(props.docx, props.structure, props.request);
    return null;
  };
  const root = createRoot(document.createElement('div'));
  const show = (docx: Uint8Array<ArrayBuffer>, renderRequest = request, structure?: StructuredField[]) =>
    act(async () => root.render(<TestComponent docx={docx} request={renderRequest} structure={structure} />));
  const lastDocument = () => documents.at(-1) as (typeof documents)[number];
  const draw = () =>
    act(async () => {
      lastDocument().listener.onOpened([]);
      lastDocument().listener.onPages(pages);
    });
  const crash = () => act(async () => lastDocument().listener.onStopped());
  const state = () => ({
    pages: now?.state?.layout != null,
    restarting: now?.isRestarting,
    stopped: now?.hasGivenUp,
  });
  return { show, draw, crash, state, lastDocument };
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  documents.length = 0;
});

describe('a document whose engine crashes', () => {
  const docx = new Uint8Array([1]);

  it('is opened once more with the latest values, and is restarting until its pages are there', async () => {
    const { show, draw, crash, state, lastDocument } = await renderHook();
    await show(docx);
    await draw();
    const typed = { ...request, values: { name: 'typed on' } };
    await show(docx, typed);
    await crash();
    expect(state()).toEqual({ pages: false, restarting: true, stopped: false });
    expect(documents).toHaveLength(2);
    expect(lastDocument().layOut).toHaveBeenCalledWith(typed);
    await draw();
    expect(state()).toEqual({ pages: true, restarting: false, stopped: false });
  });

  it('twice is given up, so that the PDF is shown; another document is opened again', async () => {
    const { show, draw, crash, state } = await renderHook();
    await show(docx);
    await draw();
    await crash();
    await draw();
    await crash();
    expect(state()).toEqual({ pages: false, restarting: false, stopped: true });
    expect(documents).toHaveLength(2);
    await show(new Uint8Array([2]));
    await draw();
    expect(state()).toEqual({ pages: true, restarting: false, stopped: false });
  });
});

describe('an open document', () => {
  it('is laid out again only if the request has changed', async () => {
    const { show, lastDocument } = await renderHook();
    const docx = new Uint8Array([1]);
    await show(docx);
    await show(docx, { ...request, values: { name: 'typed' } });
    expect(lastDocument().layOut).toHaveBeenCalledTimes(1);
    await show(docx, { ...request, values: { name: 'typed more' } });
    expect(lastDocument().layOut.mock.lastCall).toEqual([{ ...request, values: { name: 'typed more' } }]);
    expect(documents).toHaveLength(1);
  });

  it('is opened with the types of its fields, and again if they change', async () => {
    const { show } = await renderHook();
    const docx = new Uint8Array([1]);
    await show(docx, request, [{ name: 'signed', type: 'text' }]);
    await show(docx, request, [{ name: 'signed', type: 'text' }]);
    await show(docx, request, [{ name: 'signed', type: 'signature' }]);
    expect(documents.map(({ structure }) => structure)).toEqual([
      [{ name: 'signed', type: 'text' }],
      [{ name: 'signed', type: 'signature' }],
    ]);
  });
});
