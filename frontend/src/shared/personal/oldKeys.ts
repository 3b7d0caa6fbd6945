import { readJson, remove, type OldKey } from '@/shared/storage';

import { userOwner } from './owner';
import { change } from './store';

/** Data without an owner: they may belong to a person who used this browser before, so they are deleted. */
const WITHOUT_OWNER: readonly OldKey[] = ['values', 'supportMessage', 'templateDraft', 'adminDocument'];

interface OldSave {
  key: string;
  userId: string;
  draft: { key: string; filling: string };
}

function isOldSave(value: unknown): value is OldSave {
  if (typeof value !== 'object' || value === null) return false;
  const { key, userId, draft } = value as Partial<OldSave>;
  return typeof key === 'string' && typeof userId === 'string' && typeof draft?.key === 'string';
}

/**
 * Takes over what earlier versions kept in localStorage: saves that name their user, with their drafts, and the
 * answers that a guest has asked this device to remember. Everything else is deleted.
 */
export async function moveOldKeys(): Promise<void> {
  const drafts = (readJson('values') ?? {}) as Record<string, { filling?: unknown } | undefined>;
  const saves = readJson('waitingSaves');
  const moves: Promise<boolean>[] = [];
  for (const save of Array.isArray(saves) ? saves.filter(isOldSave) : []) {
    const owner = userOwner(save.userId);
    moves.push(change('save', save.key, (now) => now ?? save, owner));
    const draft = Object.hasOwn(drafts, save.draft.key) ? drafts[save.draft.key] : undefined;
    if (draft && draft.filling === save.draft.filling)
      moves.push(change('draft', save.draft.key, (now) => now ?? draft, owner));
  }
  const answers = readJson('knownAnswers');
  if (answers !== null) moves.push(change('answers', 'known', (now) => now ?? answers, 'device'));
  const moved = (await Promise.all(moves)).every(Boolean);
  WITHOUT_OWNER.forEach((key) => remove(key));
  // Without a database the next visit tries again.
  if (moved) (['waitingSaves', 'knownAnswers'] as const).forEach((key) => remove(key));
}
