import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { canLayOutPages, openDocument, type LiveDocument } from './client';
import type { PageText, DerivedValue, LaidOutPages, LayoutRequest } from './messages';

interface LiveState {
  document: LiveDocument;
  /** The field names, by index. */
  fields: string[];
  layout: LaidOutPages | null;
  /** The values of derived fields. */
  derivedValues: Record<string, DerivedValue>;
  /** The error code if the document cannot be laid out. */
  errorCode: string | null;
}

/** The number of times that a document is opened again after the engine has crashed. */
const MAX_RESTARTS = 1;

/** Subscribes to the text of a page. The returned function unsubscribes. */
export type SubscribeToPageText = (page: number, listener: (text: PageText) => void) => () => void;

/**
 * Opens a document in the browser's engine, and lays it out again when the request changes. After a crash of the
 * engine it is opened once more; `isRestarting` is true until its pages are there again.
 */
export function useLiveDocument(docx: Uint8Array<ArrayBuffer> | undefined, request: LayoutRequest) {
  const [state, setState] = useState<LiveState | null>(null);
  const [cache] = useState(() => ({
    pageTexts: new Map<number, PageText>(),
    textListeners: new Map<number, (text: PageText) => void>(),
  }));
  const openDocumentRef = useRef<LiveDocument>(undefined);
  const latestRequest = useRef(request);
  const isSupported = useMemo(() => canLayOutPages(), []);
  /** The document that has crashed the engine, and the number of crashes. */
  const [crashes, setCrashes] = useState({ docx, count: 0 });
  const restarts = crashes.docx === docx ? crashes.count : 0;

  useEffect(() => {
    if (!docx || !isSupported || restarts > MAX_RESTARTS) return undefined;
    cache.pageTexts.clear();
    const updateState = (changes: Partial<LiveState>) => setState((now) => now && { ...now, ...changes });
    const document = openDocument(docx, {
      onOpened: (fields) => setState({ document, fields, layout: null, derivedValues: {}, errorCode: null }),
      onDerived: (derivedValues) => updateState({ derivedValues }),
      onPages: (layout) => updateState({ layout, errorCode: null }),
      onText: (page, text) => {
        cache.pageTexts.set(page, text);
        cache.textListeners.get(page)?.(text);
      },
      // If the values are refused (too long, for example), the previous pages stay.
      onFailed: (code) =>
        setState((now) =>
          now?.layout
            ? now
            : {
                document,
                fields: now?.fields ?? [],
                layout: null,
                derivedValues: now?.derivedValues ?? {},
                errorCode: code,
              },
        ),
      onStopped: () => setCrashes({ docx, count: restarts + 1 }),
    });
    openDocumentRef.current = document;
    document.layOut(latestRequest.current);
    return () => {
      openDocumentRef.current = undefined;
      setState(null);
      document.close();
    };
  }, [docx, isSupported, cache, restarts]);

  const requestJson = JSON.stringify(request);
  useEffect(() => {
    latestRequest.current = JSON.parse(requestJson) as LayoutRequest;
    openDocumentRef.current?.layOut(latestRequest.current);
  }, [requestJson]);

  const subscribeToText: SubscribeToPageText = useCallback(
    (page, listener) => {
      cache.textListeners.set(page, listener);
      const text = cache.pageTexts.get(page);
      if (text) listener(text);
      return () => void cache.textListeners.delete(page);
    },
    [cache],
  );

  const hasGivenUp = docx !== undefined && restarts > MAX_RESTARTS;
  const isRestarting = restarts > 0 && !hasGivenUp && !state?.layout;
  return { isSupported, state, subscribeToText, isRestarting, hasGivenUp };
}
