import type { TFunction } from 'i18next';

import { byteCount, characterCount, isTooLong } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';

import type { FieldKind } from './fieldSettings';

/** Returns the reason why a text cannot be sent, as a text of the interface; null if it can. */
export function textProblem(text: string, kind: FieldKind, t: TFunction): string | null {
  if (isTooLong(text))
    return t('form.tooLong', { limit: LIMITS.valueCharacters, length: characterCount(text) });
  if (isQrCodeTooLong(text, kind))
    return t('form.qrCodeTooLong', { limit: LIMITS.qrCodeBytes, length: byteCount(text) });
  return null;
}

/** Returns true if a text does not fit in a QR code, and its field is printed as one. */
export function isQrCodeTooLong(text: string, kind: FieldKind): boolean {
  return kind === 'qr_code' && byteCount(text) > LIMITS.qrCodeBytes;
}
