import type { ParseKeys, TFunction } from 'i18next';

import { ApiError, type LocalCode } from '@/api/error';
import type { ErrorCode } from '@/api/types';

import type ar from './locales/ar.json';
import type en from './locales/en.json';
import type fr from './locales/fr.json';

/** The base key of a text with plural forms (`mail_wait_one` …), from which i18next selects. */
type PluralBaseKey<Key> = Key extends `${infer Counted}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Counted
  : Key;

/**
 * Codes with a text of another key: several codes may need the same action, and some texts are in another part of
 * the file.
 */
const OTHER_TEXT_KEYS = {
  not_a_zip: 'errors.not_a_docx',
  not_a_word_document: 'errors.not_a_docx',
  missing_main_part: 'errors.not_a_docx',
  missing_content_types: 'errors.not_a_docx',
  no_document_body: 'errors.not_a_docx',
  encrypted_zip: 'errors.encrypted',
  encrypted_document: 'errors.encrypted',
  corrupted_zip: 'errors.corrupted',
  truncated_zip: 'errors.corrupted',
  multi_volume: 'errors.corrupted',
  malformed_xml: 'errors.corrupted',
  duplicate_part: 'errors.corrupted',
  overlapping_entries: 'errors.corrupted',
  unsafe_part_name: 'errors.corrupted',
  unsupported_compression: 'errors.corrupted',
  suspicious_compression: 'errors.too_complex',
  too_many_entries: 'errors.too_complex',
  too_many_relationships: 'errors.too_complex',
  part_too_large: 'errors.too_complex',
  package_too_large: 'errors.too_complex',
  xml_too_deep: 'errors.too_complex',
  invalid_idempotency_key: 'errors.idempotency',
  idempotency_key_reused: 'errors.idempotency',
  invalid_body: 'errors.invalid_request',
  invalid_query: 'errors.invalid_request',
  invalid_id: 'errors.invalid_request',
  json_expected: 'errors.invalid_request',
  form_expected: 'errors.invalid_request',
  duplicate_field: 'errors.invalid_request',
  route_not_found: 'errors.invalid_request',
  origin_refused: 'errors.invalid_request',
  method_not_allowed: 'errors.invalid_request',
  headers_too_large: 'errors.request_too_large',
  media_not_found: 'errors.document_not_found',
  invalid_token: 'errors.session_ended',
  invalid_credentials: 'loginPage.invalidCredentials',
  email_password_required: 'loginPage.emailPasswordRequired',
  email_not_verified: 'loginPage.verifyEmailFirst',
  fields_required: 'registerPage.errorFillFields',
  title_and_file_required: 'publish.fillall',
  email_required: 'helpPage.emailRequired',
  message_required: 'helpPage.messageRequired',
} as const satisfies { [Code in ErrorCode]?: ParseKeys };

type CodeWithText = Exclude<ErrorCode | LocalCode, keyof typeof OTHER_TEXT_KEYS>;

/** Compiles only if every code of the API and of the client has its text in each language. */
export type Translated = [
  Complete<Exclude<CodeWithText, PluralBaseKey<keyof typeof en.errors>>>,
  Complete<Exclude<CodeWithText, PluralBaseKey<keyof typeof fr.errors>>>,
  Complete<Exclude<CodeWithText, PluralBaseKey<keyof typeof ar.errors>>>,
];
type Complete<Untranslated extends never> = Untranslated;

function textKey(code: ErrorCode | LocalCode): ParseKeys {
  const other: { [Code in typeof code]?: ParseKeys } = OTHER_TEXT_KEYS;
  return other[code] ?? `errors.${code as CodeWithText}`;
}

/** Returns the path of a value in a list for people, who count rows from 1: `items (4): price` for `items[3].price`. */
function pathText(path: string): string {
  return path.replace(/\[(\d+)\]\.?/g, (_, row: string) => ` (${Number(row) + 1}): `);
}

/** Returns the text for a failed call. A code of a newer API has no text here, so the API's own message is used. */
export function errorText(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  const fields = (error.details.fields ?? []).map(pathText).join(', ');
  const minutes = Math.max(1, Math.ceil((error.details.retryAfter ?? 60) / 60));
  const defaultValue = error.message || t('errors.unknown');
  return t(textKey(error.code), { fields, count: minutes, defaultValue });
}
