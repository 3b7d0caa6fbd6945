// A file of the list can be opened in the form for one template. It is then an unfinished template under the file's id.
import type { Owner } from '@/shared/personal/owner';

import {
  areDraftsEqual,
  readTemplateFile,
  readUnfinished,
  removeUnfinished,
  type FormStart,
  type TemplateDraft,
} from '../templateDraft';
import { fileIdentity } from '../templateCalls';
import type { FileChanges, QueuedFile, SharedSettings } from './fileQueue';

function draftOf({ title, language, ownSettings }: QueuedFile, settings: SharedSettings): TemplateDraft {
  return { title, language, ...(ownSettings ?? settings) };
}

/** Returns a file of the list as the form shows it first. */
export function startInForm(queued: QueuedFile, settings: SharedSettings): FormStart {
  return {
    unfinished: { draft: draftOf(queued, settings), said: queued.overrides },
    file: queued.file,
  };
}

/**
 * Returns the changes of a file in the form; null if there are none. An unchanged file is no longer stored as an
 * unfinished template.
 */
export function changesInForm(
  queued: QueuedFile,
  settings: SharedSettings,
  owner: Owner,
): FileChanges | null {
  const unfinished = readUnfinished(queued.id, owner);
  if (!unfinished) return null;
  // The form may have no file because it was removed there. The list then keeps its own.
  const file = readTemplateFile(queued.id, owner) ?? queued.file;
  const isSameFile = JSON.stringify(fileIdentity(file)) === JSON.stringify(fileIdentity(queued.file));
  const { draft, said } = unfinished;
  const { title, language, ...chosen } = draft;
  const before = draftOf(queued, settings);
  const overridesChanged = JSON.stringify(said) !== JSON.stringify(queued.overrides);
  if (isSameFile && areDraftsEqual(draft, before) && !overridesChanged) {
    removeUnfinished(queued.id, owner);
    return null;
  }
  const hasOwnSettings = queued.ownSettings !== null || !areDraftsEqual({ ...before, ...chosen }, before);
  return {
    title: title.trim() ? title : queued.title,
    language,
    overrides: said,
    ...(!isSameFile && { file }),
    ...(hasOwnSettings && { ownSettings: chosen }),
  };
}
