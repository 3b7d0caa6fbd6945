import { describe, expect, it } from 'vitest';

import type { Finding, FindingCode } from '@/api/types';

import { groupsOf, piecesOf } from './groups';

function finding(code: FindingCode, context: string, paragraph: number | null = 1): Finding {
  const severity = ['invalid_name', 'empty_field', 'unclosed_field'].includes(code) ? 'error' : 'warning';
  return { code, severity, message: '', part: 'word/document.xml', paragraph, context } as Finding;
}

describe('groups', () => {
  it('say a thing once, errors first, with each of its places', () => {
    const groups = groupsOf([
      finding('font_without_metric_twin', 'Aptos', null),
      finding('invalid_name', '{{a|b}}', 2),
      { ...finding('font_without_metric_twin', 'Aptos', null), part: 'word/styles.xml' },
      finding('invalid_name', '{{c|d}}', 3),
      finding('invalid_name', '{{a|b}}', 2),
    ]);
    expect(groups.map(({ code, error, places }) => [code, error, places.length])).toEqual([
      ['invalid_name', true, 2],
      ['font_without_metric_twin', false, 1],
    ]);
  });
});

describe('the text around', () => {
  const wrong = (code: FindingCode, context: string) =>
    piecesOf({ code, context })
      .filter((piece) => piece.wrong)
      .map(({ text }) => text);

  it('tells apart what is wrong', () => {
    expect(wrong('invalid_name', 'Dear {{a|upper}}, see {{fine}} | there')).toEqual(['|']);
    expect(wrong('invalid_name', '{{prix €}} {{اسم العميل*}}')).toEqual(['€', '*']);
    expect(wrong('invalid_name', '{{a\u0007b}}')).toEqual(['U+0007']);
    expect(wrong('empty_field', 'Dear {{ }},')).toEqual(['{{ }}']);
    expect(wrong('unclosed_field', '{{fine}} Dear {{name,')).toEqual(['{{']);
    expect(piecesOf({ code: 'unclosed_field', context: '{{fine}} {{' })[0]?.text).toBe('{{fine}} ');
    expect(wrong('lookalike_names', 'Name, name')).toEqual([]);
  });

  it('loses nothing of it', () => {
    const context = 'Dear {{a|b}} and {{c}}';
    const pieces = piecesOf({ code: 'invalid_name', context });
    expect(pieces.map(({ text }) => text).join('')).toBe(context);
    expect(piecesOf({ code: 'picture_missing', context: null })).toEqual([]);
  });
});
