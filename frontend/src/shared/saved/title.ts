import type { TFunction } from 'i18next';

import { lengthOf } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';

/** What the copy of a document is called; a title that is too long for it stays as it is. */
export function copyTitle(title: string, t: TFunction): string {
  const copy = t('saved.copyOf', { title });
  return lengthOf(copy) > LIMITS.titleCharacters ? title : copy;
}
