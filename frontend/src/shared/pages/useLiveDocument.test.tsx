// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { DocumentListener } from './client';
import type { LayoutRequest } from './messages';
import { useLiveDocument } from './useLiveDocument';

const documents: { bytes: Uint8Array; listener: DocumentListener; layOut: ReturnType<typeof vi.fn> }[] = [];
vi.mock('./client', () => ({
  canLayOutPages: () => true,
  openDocument: (bytes: Uint8Array, listener: DocumentListener) => {
    const document = { bytes, listener, layOut: vi.fn(), showPage: vi.fn(), close: vi.fn() };
    documents.push(document);
    return document;
  },
}));

const request: LayoutRequest = {
  values: { name: 'typed' },
  derivations: null,
  blank: false,
  now: 0,
  country: null,
  comments: false,
  changes: false,
};
const pages = { pages: [], blanks: [], destinations: {}, language: null, rightToLeft: false };

async function renderHook() {
  let now: ReturnType<typeof useLiveDocument> | undefined;
  const TestComponent = (props: { docx: Uint8Array<ArrayBuffer>; request: LayoutRequest }) => {
    now = useLiveDocument(props.docx, props.request);
    return null;
  };
  const root = createRoot(document.createElement('div'));
  const show = (docx: Uint8Array<ArrayBuffer>, renderRequest = request) =>
    act(async () => root.render(<TestComponent docx={docx} request={renderRequest} />));
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
