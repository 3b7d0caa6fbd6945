import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { canSetPages, openDocument, type LiveDocument } from './client';
import type { PageText, Said, SetPages, SetRequest } from './messages';

interface Live {
  live: LiveDocument;
  /** The names of its fields, by number. */
  fields: string[];
  set: SetPages | null;
  /** What the fields say that are made of others. */
  derived: Record<string, Said>;
  /** Why it cannot be set. */
  failed: string | null;
}

/** A page's text, told to whoever shows the page. */
export type Texts = (page: number, hear: (text: PageText) => void) => () => void;

/** Opens a document in the browser's own engine, and sets it anew when the request is another. */
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
      // Values that cannot be set (too long, say) leave the pages as they were.
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
