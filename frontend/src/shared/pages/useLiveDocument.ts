import { replaceEqualDeep } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { SectionConditions } from '@/shared/fields/sectionConditions';
import type { StructuredField } from '@/shared/fields/values';

import { canLayOutPages, openDocument, type LiveDocument } from './client';
import type { PageText, DerivedValue, LaidOutPages, LayoutRequest } from './messages';

interface LiveState {
  document: LiveDocument;
  /** The field names, by index. */
  fields: string[];
  layout: LaidOutPages | null;
  /** The sections that fields lie in; null until they are known. */
  conditions: SectionConditions | null;
  /** The values of derived fields. */
  derivedValues: Record<string, DerivedValue>;
  /** The error code if the document cannot be laid out. */
  errorCode: string | null;
}

/** The state of a document without pages. */
const CLOSED = { fields: [], layout: null, conditions: null, derivedValues: {}, errorCode: null };

/** The number of times that a document is opened again after the engine has crashed. */
const MAX_RESTARTS = 1;

/** Subscribes to the text of a page. The returned function unsubscribes. */
export type SubscribeToPageText = (page: number, listener: (text: PageText) => void) => () => void;

/**
 * Opens a document in the browser's engine, and lays it out again when the request changes. After a crash of the
 * engine it is opened once more; `isRestarting` is true until its pages are there again. Without a structure the
 * document suggests the types of its fields.
 */
export function useLiveDocument(
  docx: Uint8Array<ArrayBuffer> | undefined,
  structure: readonly StructuredField[] | undefined,
  request: LayoutRequest,
) {
  const [state, setState] = useState<LiveState | null>(null);
  const [cache] = useState(() => ({
    pageTexts: new Map<number, PageText>(),
    textListeners: new Map<number, (text: PageText) => void>(),
  }));
  const openDocumentRef = useRef<LiveDocument>(undefined);
  const latestRequest = useRef(request);
  const structureJson = structure && JSON.stringify(structure);
  const isSupported = useMemo(() => canLayOutPages(), []);
  /** The document that has crashed the engine, and the number of crashes. */
  const [crashes, setCrashes] = useState({ docx, count: 0 });
  const restarts = crashes.docx === docx ? crashes.count : 0;

  useEffect(() => {
    if (!docx || !isSupported || restarts > MAX_RESTARTS) return undefined;
    cache.pageTexts.clear();
    const updateState = (changes: Partial<LiveState>) => setState((now) => now && { ...now, ...changes });
    const openedStructure = structureJson ? (JSON.parse(structureJson) as StructuredField[]) : null;
    const document = openDocument(docx, openedStructure, {
      onOpened: (fields) => setState({ ...CLOSED, document, fields }),
      onDerived: (derivedValues) => updateState({ derivedValues }),
      onPages: (layout) => updateState({ layout, errorCode: null }),
      onSections: (conditions) => updateState({ conditions }),
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
                ...CLOSED,
                ...now,
                document,
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
  }, [docx, structureJson, isSupported, cache, restarts]);

  // Most renderings change nothing. Comparing is quicker than writing JSON, which would include all pictures.
  useEffect(() => {
    const next = replaceEqualDeep(latestRequest.current, request);
    if (next === latestRequest.current) return;
    latestRequest.current = next;
    openDocumentRef.current?.layOut(next);
  });

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
