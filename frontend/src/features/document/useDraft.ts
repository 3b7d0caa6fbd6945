import { useCallback, useEffect, useRef, useState } from 'react';

import {
  changed,
  changeDraft,
  newFilling,
  readDraft,
  removeDraft,
  type Draft,
  type DraftChange,
} from '@/shared/drafts';
import { currentOwner } from '@/shared/personal/owner';
import { keepNow, whenChanged } from '@/shared/personal/store';
import { whenSaved } from '@/shared/saved/waiting';
import { currentSession } from '@/shared/session/session';

/** The pause after the last key before a draft is stored. It is also stored when the page is left. */
const TYPING_PAUSE_MS = 200;

/**
 * Returns the draft of a form. The form may be open in several tabs: each stores only its own changes and takes
 * over those of the others, so that none overwrites another. `elsewhere` is true if another tab has changed it. The
 * component needs the owner as its key.
 */
export function useDraft(key: string, initial: Draft) {
  const [owner] = useState(currentOwner);
  const [draft, setDraft] = useState<Draft>(() => readDraft(key, owner) ?? initial);
  const [elsewhere, setElsewhere] = useState(false);
  const shown = useRef(draft);
  /** The local changes that are not stored yet. */
  const pending = useRef<DraftChange | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = useCallback((next: Draft) => {
    shown.current = next;
    setDraft(next);
  }, []);

  const store = useCallback(() => {
    clearTimeout(timer.current);
    const change = pending.current;
    const whole = shown.current;
    pending.current = null;
    // Changes after a logout are not stored.
    if (!change || owner !== currentOwner()) return;
    // If another tab has saved or discarded the draft, the whole draft is stored again.
    void changeDraft(key, (stored) => changed(stored ?? whole, change), owner);
  }, [key, owner]);

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
    const leave = () => {
      store();
      keepNow();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      store();
    };
  }, [store]);

  useEffect(() => {
    /** Takes over the stored draft. Returns true if it was different. */
    const follow = () => {
      const stored = readDraft(key, owner);
      if (!stored) return false;
      const next = pending.current ? changed(stored, pending.current) : stored;
      const [before, after] = [shown.current, next].map(({ values, blank, edit }) =>
        JSON.stringify([Object.entries(values).sort(), blank, edit]),
      );
      if (before === after) return false;
      show(next);
      return true;
    };
    const stopFollowing = whenChanged((change) => {
      const same = change.owner === owner && change.kind === 'draft' && change.key === key;
      if (same && change.elsewhere && follow()) setElsewhere(true);
    });
    // An earlier state was saved, so this draft now belongs to the next version.
    const stop = whenSaved((order) => {
      if (order.draft.key === key) follow();
    });
    return () => {
      stopFollowing();
      stop();
    };
  }, [key, owner, show]);

  // If the saved document changes before the first input, the form starts from the new state.
  const beginning = initial.edit?.version;
  const begin = useRef(initial);
  useEffect(() => {
    begin.current = initial;
  });
  useEffect(() => {
    if (!pending.current && !readDraft(key, owner)) show(begin.current);
  }, [key, owner, beginning, show]);

  /** Discards all input, and returns to the initial state. */
  const discard = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    removeDraft(key, owner);
    show(begin.current);
  }, [key, owner, show]);

  /** Gives the current state of the form a new name, and stores it. */
  const name = useCallback(() => {
    change({ filling: newFilling(currentSession() === null) });
    store();
  }, [change, store]);

  return { draft, change, name, discard, elsewhere };
}
