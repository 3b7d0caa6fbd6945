import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { canSetPages, openDocument, type LiveDocument } from './client';
import type { PageText, Said, SetPages, SetRequest } from './messages';

interface Live {
  live: LiveDocument;
  /** The field names, by index. */
  fields: string[];
  set: SetPages | null;
  /** The values of derived fields. */
  derived: Record<string, Said>;
  /** The error code if the document cannot be laid out. */
  failed: string | null;
}

/** The number of times that a document is opened again after the engine has crashed. */
const MOST_RESTARTS = 1;

/** Subscribes to the text of a page. The returned function unsubscribes. */
export type Texts = (page: number, hear: (text: PageText) => void) => () => void;

/**
 * Opens a document in the browser's engine, and lays it out again when the request changes. After a crash of the
 * engine it is opened once more; `restarting` is true until its pages are there again.
 */
export function useLive(docx: Uint8Array<ArrayBuffer> | undefined, request: SetRequest) {
  const [opened, setOpened] = useState<Live | null>(null);
  const [known] = useState(() => ({
    texts: new Map<number, PageText>(),
    hearers: new Map<number, (text: PageText) => void>(),
  }));
  const live = useRef<LiveDocument>(undefined);
  const latest = useRef(request);
  const able = useMemo(() => canSetPages(), []);
  /** The document that has crashed the engine, and how often. */
  const [crashed, setCrashed] = useState({ docx, times: 0 });
  const restarts = crashed.docx === docx ? crashed.times : 0;

  useEffect(() => {
    if (!docx || !able || restarts > MOST_RESTARTS) return undefined;
    known.texts.clear();
    const change = (what: Partial<Live>) => setOpened((now) => now && { ...now, ...what });
    const document = openDocument(docx, {
      opened: (fields) => setOpened({ live: document, fields, set: null, derived: {}, failed: null }),
      derived: (derived) => change({ derived }),
      pages: (set) => change({ set, failed: null }),
      text: (page, text) => {
        known.texts.set(page, text);
        known.hearers.get(page)?.(text);
      },
      // If the values are refused (too long, for example), the previous pages stay.
      failed: (code) =>
        setOpened((now) =>
          now?.set
            ? now
            : {
                live: document,
                fields: now?.fields ?? [],
                set: null,
                derived: now?.derived ?? {},
                failed: code,
              },
        ),
      stopped: () => setCrashed({ docx, times: restarts + 1 }),
    });
    live.current = document;
    document.set(latest.current);
    return () => {
      live.current = undefined;
      setOpened(null);
      document.close();
    };
  }, [docx, able, known, restarts]);

  const asked = JSON.stringify(request);
  useEffect(() => {
    latest.current = JSON.parse(asked) as SetRequest;
    live.current?.set(latest.current);
  }, [asked]);

  const texts: Texts = useCallback(
    (page, hear) => {
      known.hearers.set(page, hear);
      const text = known.texts.get(page);
      if (text) hear(text);
      return () => void known.hearers.delete(page);
    },
    [known],
  );

  const stopped = docx !== undefined && restarts > MOST_RESTARTS;
  const restarting = restarts > 0 && !stopped && !opened?.set;
  return { able, opened, texts, restarting, stopped };
}
