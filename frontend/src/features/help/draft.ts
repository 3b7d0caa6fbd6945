import { currentOwner, type Owner } from '@/shared/personal/owner';
import { changeEntry, readEntry } from '@/shared/personal/store';

/** An unfinished message. It survives a reload, and a logout deletes it. */
export interface HelpDraft {
  /** The guest's address. Logged-in users write from their own address. */
  email: string;
  message: string;
  /** The idempotency key: a message that is tried again after a failure is sent once. */
  sending: string | null;
}

const EMPTY_HELP_DRAFT: HelpDraft = { email: '', message: '', sending: null };

export function readHelpDraft(): HelpDraft {
  const stored = readEntry('message', 'help');
  if (typeof stored !== 'object' || stored === null) return EMPTY_HELP_DRAFT;
  const text = (name: keyof HelpDraft) => {
    const value = (stored as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : null;
  };
  return { email: text('email') ?? '', message: text('message') ?? '', sending: text('sending') };
}

/** Stores the message of the form that `owner` has opened, unless another person uses this page by now. */
export function writeHelpDraft(draft: HelpDraft, owner: Owner): void {
  if (owner !== currentOwner()) return;
  void changeEntry('message', 'help', () => (draft.email || draft.message ? draft : null));
}
