import type { TFunction } from 'i18next';

import { ApiError } from '@/api/error';
import en from './locales/en.json';

/** A text that counts minutes has a form for each plural of its language (`mail_wait_one` …); i18next picks it. */
type Key = keyof typeof en.errors;
type ErrorKey = Key extends infer K ? (K extends `${infer Family}_${'one' | 'other'}` ? Family : K) : never;

/** Codes that a reader need not tell apart: what to do about them is the same. */
const SAME_TEXT: Record<string, ErrorKey> = {
  not_a_zip: 'not_a_docx',
  not_a_word_document: 'not_a_docx',
  missing_main_part: 'not_a_docx',
  missing_content_types: 'not_a_docx',
  no_document_body: 'not_a_docx',
  encrypted_zip: 'encrypted',
  encrypted_document: 'encrypted',
  corrupted_zip: 'corrupted',
  truncated_zip: 'corrupted',
  multi_volume: 'corrupted',
  malformed_xml: 'corrupted',
  duplicate_part: 'corrupted',
  overlapping_entries: 'corrupted',
  unsafe_part_name: 'corrupted',
  part_missing: 'corrupted',
  unsupported_compression: 'corrupted',
  suspicious_compression: 'too_complex',
  too_many_entries: 'too_complex',
  too_many_relationships: 'too_complex',
  part_too_large: 'too_complex',
  package_too_large: 'too_complex',
  xml_too_deep: 'too_complex',
  xml_too_long: 'too_complex',
  invalid_idempotency_key: 'idempotency',
  invalid_body: 'invalid_request',
  invalid_query: 'invalid_request',
  invalid_id: 'invalid_request',
  json_expected: 'invalid_request',
  form_expected: 'invalid_request',
  duplicate_field: 'invalid_request',
  media_not_found: 'document_not_found',
};

function keyOf(code: string): ErrorKey | undefined {
  if (Object.hasOwn(SAME_TEXT, code)) return SAME_TEXT[code];
  const known = Object.hasOwn(en.errors, code) || Object.hasOwn(en.errors, `${code}_other`);
  return known ? (code as ErrorKey) : undefined;
}

/** What to tell a reader of a failed call: by its code, else the server's own words, else that something went wrong. */
export function errorText(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  const key = keyOf(error.code);
  if (!key) return error.code === 'unknown' || !error.message ? t('errors.unknown') : error.message;
  const fields = (error.details.fields ?? []).join(', ');
  const minutes = Math.max(1, Math.ceil((error.details.retryAfter ?? 60) / 60));
  return t(`errors.${key}`, { fields, count: minutes });
}
