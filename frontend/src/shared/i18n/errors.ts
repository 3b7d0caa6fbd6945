import type { TFunction } from 'i18next';

import { ApiError } from '@/api/error';
import en from './locales/en.json';

type ErrorKey = keyof typeof en.errors;

function isErrorKey(code: string): code is ErrorKey {
  return Object.hasOwn(en.errors, code);
}

/** What to tell a reader of a failed call: by its code, else the server's own words, else that something went wrong. */
export function errorText(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  if (!isErrorKey(error.code)) {
    return error.code === 'unknown' || !error.message ? t('errors.unknown') : error.message;
  }
  const fields = (error.details.fields ?? []).join(', ');
  const minutes = Math.max(1, Math.ceil((error.details.retryAfter ?? 60) / 60));
  return t(`errors.${error.code}`, { fields, minutes });
}
