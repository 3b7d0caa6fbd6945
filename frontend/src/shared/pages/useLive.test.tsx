// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Listener } from './client';
import type { SetRequest } from './messages';
import { useLive } from './useLive';

const documents: { bytes: Uint8Array; listener: Listener; set: ReturnType<typeof vi.fn> }[] = [];
vi.mock('./client', () => ({
  canSetPages: () => true,
  openDocument: (bytes: Uint8Array, listener: Listener) => {
    const document = { bytes, listener, set: vi.fn(), show: vi.fn(), close: vi.fn() };
    documents.push(document);
    return document;
  },
}));

const request: SetRequest = {
  values: { name: 'typed' },
  making: null,
  blank: false,
  now: 0,
  comments: false,
  changes: false,
};
const pages = { pages: [], blanks: [], destinations: {}, language: null, rightToLeft: false };

async function shown() {
  let now: ReturnType<typeof useLive> | undefined;
  const Shown = (props: { docx: Uint8Array<ArrayBuffer>; request: SetRequest }) => {
    now = useLive(props.docx, props.request);
    return null;
  };
  const root = createRoot(document.createElement('div'));
  const show = (docx: Uint8Array<ArrayBuffer>, asked = request) =>
    act(async () => root.render(<Shown docx={docx} request={asked} />));
  const lastOne = () => documents.at(-1) as (typeof documents)[number];
  const draws = () =>
    act(async () => {
      lastOne().listener.opened([]);
      lastOne().listener.pages(pages);
    });
  const crashes = () => act(async () => lastOne().listener.stopped());
  const state = () => ({
    pages: now?.opened?.set != null,
    restarting: now?.restarting,
    stopped: now?.stopped,
  });
  return { show, draws, crashes, state, lastOne };
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  documents.length = 0;
});

describe('a document whose engine crashes', () => {
  const docx = new Uint8Array([1]);

  it('is opened once more with the latest values, and says so until its pages are there', async () => {
    const { show, draws, crashes, state, lastOne } = await shown();
    await show(docx);
    await draws();
    const typed = { ...request, values: { name: 'typed on' } };
    await show(docx, typed);
    await crashes();
    expect(state()).toEqual({ pages: false, restarting: true, stopped: false });
    expect(documents).toHaveLength(2);
    expect(lastOne().set).toHaveBeenCalledWith(typed);
    await draws();
    expect(state()).toEqual({ pages: true, restarting: false, stopped: false });
  });

  it('and crashes again is given up: the PDF is shown, and another document starts anew', async () => {
    const { show, draws, crashes, state } = await shown();
    await show(docx);
    await draws();
    await crashes();
    await draws();
    await crashes();
    expect(state()).toEqual({ pages: false, restarting: false, stopped: true });
    expect(documents).toHaveLength(2);
    await show(new Uint8Array([2]));
    await draws();
    expect(state()).toEqual({ pages: true, restarting: false, stopped: false });
  });
});
