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

/** Subscribes to the text of a page. The returned function unsubscribes. */
export type Texts = (page: number, hear: (text: PageText) => void) => () => void;

/** Opens a document in the browser's engine, and lays it out again when the request changes. */
export function useLive(docx: Uint8Array<ArrayBuffer> | undefined, request: SetRequest) {
  const [opened, setOpened] = useState<Live | null>(null);
  const [known] = useState(() => ({
    texts: new Map<number, PageText>(),
    hearers: new Map<number, (text: PageText) => void>(),
  }));
  const live = useRef<LiveDocument>(undefined);
  const latest = useRef(request);
  const able = useMemo(() => canSetPages(), []);

  useEffect(() => {
    if (!docx || !able) return undefined;
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
    });
    live.current = document;
    document.set(latest.current);
    return () => {
      live.current = undefined;
      setOpened(null);
      document.close();
    };
  }, [docx, able, known]);

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

  return { able, opened, texts };
}
