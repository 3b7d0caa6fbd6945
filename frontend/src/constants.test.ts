// Constants of the specification (§9) in the screens. If one changes, a test with its name fails here. Those of the
// server are in crates/core/tests/constants.rs, those of style sheets in constants.node.test.ts, the height of
// the categories in tests/e2e/catalogue.test.ts, those of Word
// files in crates/docx/tests/constants.rs.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import toast, { useToasterStore } from 'react-hot-toast';
import { describe, expect, it } from 'vitest';

import photoField from '@/features/account/PhotoField.tsx?raw';
import { strengthHint } from '@/features/account/strengthHint';
import * as catalogue from '@/features/catalogue/filters';
import { MAX_SUGGESTIONS } from '@/features/publish/categories';
import { CLOSE_AFTER_BLUR_MS } from '@/shared/ui/Combobox';
import fileDrop from '@/features/publish/FileDrop.tsx?raw';
import { fileProblem } from '@/features/publish/templateProblems';
import * as saved from '@/features/savedDocuments/filters';
import { OTP_LENGTH, RESEND_SECONDS } from '@/features/session/otp';
import { STRENGTHS, passwordStrength } from '@/features/session/passwordStrength';
import { SORTS } from '@/shared/templates/sorts';
import { directionOf, FALLBACK_LANGUAGE, INTERFACE_LANGUAGES } from '@/shared/i18n/language';
import { PAGE_SIZE } from '@/shared/paging';
import { LIMITS } from '@/shared/settings';
import { TOAST_MS } from '@/shared/ui/toastTimes';

const nothing = new URLSearchParams();

/** Returns the number of toasts that stay visible after `of` new ones. */
function visibleToasts(of: number): number {
  for (let number = 0; number < of; number += 1) toast(String(number));
  let kept = 0;
  const Count = () => {
    kept = useToasterStore().toasts.length;
    return null;
  };
  renderToString(createElement(Count));
  return kept;
}

describe('constants of the specification (§9)', () => {
  it.each<[string, unknown, unknown]>([
    ['documents on a page', PAGE_SIZE, 12],
    ['category suggestions at most', MAX_SUGGESTIONS, 8],
    ['milliseconds after which suggestions close on blur', CLOSE_AFTER_BLUR_MS, 100],
    ['sorts of all documents', SORTS, ['newest', 'oldest', 'most-used', 'least-used']],
    ['the default sort of all documents', catalogue.catalogueFilters(null).parse(nothing).sort, 'newest'],
    ['sorts of my documents', saved.SORTS, ['newest', 'oldest', 'most-used', 'last-updated']],
    ['the default sort of my documents', saved.savedDocumentFilters.parse(nothing).sort, 'newest'],
    ['characters of a password at least', LIMITS.passwordMinCharacters, 8],
    [
      'points of eight characters',
      passwordStrength('aaaaaaaa').points - passwordStrength('aaaaaaa').points,
      1,
    ],
    ['strengths', STRENGTHS, ['very-weak', 'weak', 'fair', 'good', 'strong']],
    ['the hint of seven good characters', strengthHint('Aa1!aaa'), 'moderate'],
    ['the hint of eight good characters', strengthHint('Aa1!aaaa'), 'strong'],
    ['digits of a code', OTP_LENGTH, 6],
    ['seconds until another code can be requested', RESEND_SECONDS, 60],
    ['milliseconds of an error', TOAST_MS.error, 4000],
    ['milliseconds of a success', TOAST_MS.success, 2000],
    ['milliseconds of any other message', TOAST_MS.blank, 4000],
    ['milliseconds of a toast about a running action', TOAST_MS.loading, Infinity],
    ['messages kept at most', visibleToasts(25), 20],
    ['languages of the interface', [...INTERFACE_LANGUAGES].sort(), ['ar', 'en', 'fr']],
    ['the language to fall back to', FALLBACK_LANGUAGE, 'en'],
    [
      'languages from right to left',
      INTERFACE_LANGUAGES.filter((code) => directionOf(code) === 'rtl'),
      ['ar'],
    ],
    [
      'the accepted template files',
      [fileProblem({ name: 'a.docx', size: 1 }), fileProblem({ name: 'a.doc', size: 1 })],
      [null, 'otherWord'],
    ],
    ['the file types that are offered for upload', fileDrop.includes('accept=".docx"'), true],
    ['the file types that are offered for a photo', photoField.includes('accept="image/*"'), true],
  ])('%s', (_, value, expected) => expect(value).toEqual(expected));
});
