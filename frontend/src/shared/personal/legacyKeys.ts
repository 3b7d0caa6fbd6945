import { readJson, removeKey, type LegacyKey } from '@/shared/storage';

import { userOwner } from './owner';
import { changeEntry } from './store';

/**
 * Keys of data without an owner. The data may belong to another person who used this browser, so they are deleted.
 */
const KEYS_WITHOUT_OWNER: readonly LegacyKey[] = [
  'values',
  'supportMessage',
  'templateDraft',
  'adminDocument',
];

interface LegacySave {
  key: string;
  userId: string;
  draft: { key: string; filling: string };
}

function isLegacySave(value: unknown): value is LegacySave {
  if (typeof value !== 'object' || value === null) return false;
  const { key, userId, draft } = value as Partial<LegacySave>;
  return typeof key === 'string' && typeof userId === 'string' && typeof draft?.key === 'string';
}

/**
 * Takes over what earlier versions kept in localStorage: saves that name their user, with their drafts, and the
 * answers that a guest has asked this device to remember. Everything else is deleted.
 */
export async function migrateLegacyKeys(): Promise<void> {
  const drafts = (readJson('values') ?? {}) as Record<string, { filling?: unknown } | undefined>;
  const saves = readJson('waitingSaves');
  const moves: Promise<boolean>[] = [];
  for (const save of Array.isArray(saves) ? saves.filter(isLegacySave) : []) {
    const owner = userOwner(save.userId);
    moves.push(changeEntry('save', save.key, (now) => now ?? save, owner));
    const draft = Object.hasOwn(drafts, save.draft.key) ? drafts[save.draft.key] : undefined;
    if (draft && draft.filling === save.draft.filling)
      moves.push(changeEntry('draft', save.draft.key, (now) => now ?? draft, owner));
  }
  const answers = readJson('knownAnswers');
  if (answers !== null) moves.push(changeEntry('answers', 'known', (now) => now ?? answers, 'device'));
  const moved = (await Promise.all(moves)).every(Boolean);
  KEYS_WITHOUT_OWNER.forEach((key) => removeKey(key));
  // Without a database the next visit tries again.
  if (moved) (['waitingSaves', 'knownAnswers'] as const).forEach((key) => removeKey(key));
}
