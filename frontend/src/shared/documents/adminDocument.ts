import type { Document } from '@/api/types';
import { readJson, remove, writeJson } from '@/shared/storage';

/** Returns the template to edit, as it was when *Edit* was pressed (specification §2). Null for a new template. */
export function adminDocument(): Document | null {
  const stored = readJson('adminDocument');
  if (typeof stored !== 'object' || stored === null) return null;
  const { _id, title, categories, language, revision, templateVersion, fields } = stored as Partial<Document>;
  const whole =
    typeof _id === 'string' &&
    typeof title === 'string' &&
    Array.isArray(categories) &&
    Array.isArray(fields) &&
    typeof language?.code === 'string' &&
    typeof revision === 'number' &&
    typeof templateVersion === 'number';
  return whole ? (stored as Document) : null;
}

export function keepAdminDocument(document: Document): void {
  writeJson('adminDocument', document);
}

export function forgetAdminDocument(): void {
  remove('adminDocument');
}
