import type { TFunction } from 'i18next';

import { characterCount } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';

/** Returns the title of a copy. If it would be too long, the title stays unchanged. */
export function copyTitle(title: string, t: TFunction): string {
  const copy = t('saved.copyOf', { title });
  return characterCount(copy) > LIMITS.titleCharacters ? title : copy;
}
