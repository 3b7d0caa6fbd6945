import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import {
  applyDraftChange,
  changeDraft,
  createFillingKey,
  readDraft,
  removeDraft,
  type Draft,
  type DraftChange,
} from '@/shared/drafts';
import type { FormStore } from '@/shared/fields/formStore';
import type { FieldValues } from '@/shared/fields/values';
import { currentOwner } from '@/shared/personal/owner';
import { flushUnstored, onEntryChange } from '@/shared/personal/store';
import { onDocumentSaved } from '@/shared/savedDocuments/pendingSaves';
import { currentSession } from '@/shared/session/session';
import { createStore } from '@/shared/store';

/** The pause after the last key before a draft is stored. It is also stored when the page is left. */
const TYPING_PAUSE_MS = 200;

/** Tells if the device has the draft as it is shown. `refused` means that the browser does not store it. */
export type DraftState = 'untouched' | 'unstored' | 'stored' | 'refused';

/**
 * Returns the draft of a form as a store, so that a key renders only what shows its field. The form may be open in
 * several tabs: each stores only its own changes and takes over those of the others, so that none overwrites another.
 * `elsewhere` is true if another tab has changed it. The component that uses it needs the owner as its key.
 */
export function useDraft(key: string, initial: Draft) {
  const [owner] = useState(currentOwner);
  const [{ draft, values, state }] = useState(() => createDraftStores(readDraft(key, owner), initial));
  const [changedElsewhere, setChangedElsewhere] = useState(false);
  /** The local changes that are not stored yet. */
  const unstoredChange = useRef<DraftChange | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const store = useCallback(() => {
    clearTimeout(timer.current);
    const change = unstoredChange.current;
    const wholeDraft = draft.get();
    unstoredChange.current = null;
    // Changes after a logout are not stored.
    if (!change || owner !== currentOwner()) return;
    // If another tab has saved or discarded the draft, the whole draft is stored again.
    void changeDraft(key, (stored) => applyDraftChange(stored ?? wholeDraft, change), owner).then(
      (isStored) => {
        if (!unstoredChange.current) state.set(isStored ? 'stored' : 'refused');
      },
    );
  }, [key, owner, draft, state]);

  const change = useCallback(
    (changes: DraftChange) => {
      const pendingBefore = unstoredChange.current;
      unstoredChange.current = {
        filling: null,
        ...pendingBefore,
        ...changes,
        values: { ...pendingBefore?.values, ...changes.values },
      };
      draft.set(applyDraftChange(draft.get(), changes));
      if (state.get() !== 'unstored') state.set('unstored');
      clearTimeout(timer.current);
      timer.current = setTimeout(store, TYPING_PAUSE_MS);
    },
    [draft, state, store],
  );

  useEffect(() => {
    const storeOnLeave = () => {
      store();
      flushUnstored();
    };
    window.addEventListener('pagehide', storeOnLeave);
    return () => {
      window.removeEventListener('pagehide', storeOnLeave);
      store();
    };
  }, [store]);

  useEffect(() => {
    /** Takes over the stored draft. Returns true if it was different. */
    const takeOverStored = () => {
      const stored = readDraft(key, owner);
      if (!stored) return false;
      const next = unstoredChange.current ? applyDraftChange(stored, unstoredChange.current) : stored;
      const [before, after] = [draft.get(), next].map(({ values, blank, edit }) =>
        JSON.stringify([Object.entries(values).sort(), blank, edit]),
      );
      if (before === after) return false;
      draft.set(next);
      if (!unstoredChange.current) state.set('stored');
      return true;
    };
    const stopFollowing = onEntryChange((change) => {
      const same = change.owner === owner && change.kind === 'draft' && change.key === key;
      if (same && change.elsewhere && takeOverStored()) setChangedElsewhere(true);
    });
    // An earlier state was saved, so this draft now belongs to the next version.
    const stop = onDocumentSaved((pendingSave) => {
      if (pendingSave.draft.key === key) takeOverStored();
    });
    return () => {
      stopFollowing();
      stop();
    };
  }, [key, owner, draft, state]);

  // If the saved document changes before the first input, the form starts from the new state.
  const initialVersion = initial.edit?.version;
  const latestInitial = useRef(initial);
  useEffect(() => {
    latestInitial.current = initial;
  });
  useEffect(() => {
    if (!unstoredChange.current && !readDraft(key, owner)) draft.set(latestInitial.current);
  }, [key, owner, initialVersion, draft]);

  /** Discards all input, and returns to the initial state. */
  const discard = useCallback(() => {
    clearTimeout(timer.current);
    unstoredChange.current = null;
    removeDraft(key, owner);
    draft.set(latestInitial.current);
    state.set('untouched');
  }, [key, owner, draft, state]);

  /** Creates the idempotency key for the current state of the form, and stores the draft. */
  const assignFillingKey = useCallback(() => {
    change({ filling: createFillingKey(currentSession() === null) });
    store();
  }, [change, store]);

  const form = useMemo(
    () => ({ draft, values, state, change, assignFillingKey, discard }),
    [draft, values, state, change, assignFillingKey, discard],
  );
  return { form, elsewhere: changedElsewhere };
}

function createDraftStores(stored: Draft | null, initial: Draft) {
  const draft = createStore<Draft>(stored ?? initial);
  const values: FormStore<FieldValues> = { get: () => draft.get().values, subscribe: draft.subscribe };
  return { draft, values, state: createStore<DraftState>(stored ? 'stored' : 'untouched') };
}
