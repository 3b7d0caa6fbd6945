import { readJson, remove, writeJson } from '@/shared/storage';

/** An unfinished message. It survives a reload, and a logout clears it. */
export interface HelpDraft {
  /** The guest's address. Logged-in users write from their own address. */
  email: string;
  message: string;
  /** The idempotency key: a message that is tried again after a failure is sent once. */
  sending: string | null;
}

const EMPTY: HelpDraft = { email: '', message: '', sending: null };

export function readHelpDraft(): HelpDraft {
  const stored = readJson('supportMessage');
  if (typeof stored !== 'object' || stored === null) return EMPTY;
  const text = (name: keyof HelpDraft) => {
    const value = (stored as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : null;
  };
  return { email: text('email') ?? '', message: text('message') ?? '', sending: text('sending') };
}

export function writeHelpDraft(draft: HelpDraft): void {
  if (draft.email || draft.message) writeJson('supportMessage', draft);
  else remove('supportMessage');
}
