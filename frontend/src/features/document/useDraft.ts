import { useCallback, useEffect, useRef, useState } from 'react';

import {
  changed,
  newFilling,
  readDraft,
  removeDraft,
  writeDraft,
  type Draft,
  type DraftChange,
} from '@/shared/drafts';
import { whenSaved } from '@/shared/saved/waiting';
import { currentSession } from '@/shared/session/session';

/** A draft is stored a moment after the last key, and when the page is left. */
const TYPING_PAUSE_MS = 200;

/**
 * The draft of a form. Several tabs may have it open: each stores only what was changed in it, and takes over what the others store,
 * so that none overwrites another; `elsewhere` says that one did.
 */
export function useDraft(key: string, initial: Draft) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(key) ?? initial);
  const [elsewhere, setElsewhere] = useState(false);
  const shown = useRef(draft);
  /** What was changed here and is not stored yet. */
  const pending = useRef<DraftChange | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = useCallback((next: Draft) => {
    shown.current = next;
    setDraft(next);
  }, []);

  const store = useCallback(() => {
    clearTimeout(timer.current);
    if (!pending.current) return;
    // Nothing is kept any more where another tab has saved or discarded it: then all of it is stored anew.
    writeDraft(key, changed(readDraft(key) ?? shown.current, pending.current));
    pending.current = null;
  }, [key]);

  const change = useCallback(
    (what: DraftChange) => {
      const before = pending.current;
      pending.current = { filling: null, ...before, ...what, values: { ...before?.values, ...what.values } };
      show(changed(shown.current, what));
      clearTimeout(timer.current);
      timer.current = setTimeout(store, TYPING_PAUSE_MS);
    },
    [show, store],
  );

  useEffect(() => {
    window.addEventListener('pagehide', store);
    return () => {
      window.removeEventListener('pagehide', store);
      store();
    };
  }, [store]);

  useEffect(() => {
    /** Takes over what is stored; whether that was news. */
    const follow = () => {
      const stored = readDraft(key);
      if (!stored) return false;
      const next = pending.current ? changed(stored, pending.current) : stored;
      const [before, after] = [shown.current, next].map(({ values, blank, edit }) =>
        JSON.stringify([Object.entries(values).sort(), blank, edit]),
      );
      if (before === after) return false;
      show(next);
      return true;
    };
    const onStorage = (event: StorageEvent) => {
      if (event.storageArea !== window.localStorage || (event.key !== null && event.key !== 'values')) return;
      if (follow()) setElsewhere(true);
    };
    window.addEventListener('storage', onStorage);
    // A save of an earlier state came through: this draft is of the next version now.
    const stop = whenSaved((order) => {
      if (order.draft.key === key) follow();
    });
    return () => {
      window.removeEventListener('storage', onStorage);
      stop();
    };
  }, [key, show]);

  // What was saved has changed before anything was entered: the form begins with that.
  const beginning = initial.edit?.version;
  const begin = useRef(initial);
  useEffect(() => {
    begin.current = initial;
  });
  useEffect(() => {
    if (!pending.current && !readDraft(key)) show(begin.current);
  }, [key, beginning, show]);

  /** Gives everything that was entered up, for what the form began with. */
  const discard = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    removeDraft(key);
    show(begin.current);
  }, [key, show]);

  /** Gives this state of the form its name, and stores it. */
  const name = useCallback(() => {
    change({ filling: newFilling(currentSession() === null) });
    store();
  }, [change, store]);

  return { draft, change, name, discard, elsewhere };
}
