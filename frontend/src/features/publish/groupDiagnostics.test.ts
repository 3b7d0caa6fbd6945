import { describe, expect, it } from 'vitest';

import type { Diagnostic, DiagnosticCode } from '@/api/types';

import { groupDiagnostics, splitContext } from './groupDiagnostics';

function finding(code: DiagnosticCode, context: string, paragraph: number | null = 1): Diagnostic {
  const severity = ['invalid_name', 'empty_field', 'unclosed_field'].includes(code) ? 'error' : 'warning';
  return { code, severity, message: '', part: 'word/document.xml', paragraph, context } as Diagnostic;
}

describe('groups', () => {
  it('list each code once, errors first, with its occurrences', () => {
    const groups = groupDiagnostics([
      finding('font_without_metric_twin', 'Aptos', null),
      finding('invalid_name', '{{a|b}}', 2),
      { ...finding('font_without_metric_twin', 'Aptos', null), part: 'word/styles.xml' },
      finding('invalid_name', '{{c|d}}', 3),
      finding('invalid_name', '{{a|b}}', 2),
    ]);
    expect(groups.map(({ code, isError, occurrences }) => [code, isError, occurrences.length])).toEqual([
      ['invalid_name', true, 2],
      ['font_without_metric_twin', false, 1],
    ]);
  });
});

describe('marks of another program', () => {
  const mark = (text: string) => ({ program: 'docxtemplater', text, instead: `{${text}}` }) as const;

  it('in one paragraph are separate occurrences', () => {
    const context = '{first} {last}';
    const [group] = groupDiagnostics([
      { ...finding('foreign_field', context), mark: mark('{first}') },
      { ...finding('foreign_field', context), mark: mark('{last}') },
    ]);
    expect(group?.occurrences.length).toBe(2);
    const faulty = splitContext({ code: 'foreign_field', context, mark: mark('{last}') });
    expect(faulty.filter((piece) => piece.isFaulty).map(({ text }) => text)).toEqual(['{last}']);
  });
});

describe('the text around a problem', () => {
  const faultyParts = (code: DiagnosticCode, context: string) =>
    splitContext({ code, context })
      .filter((piece) => piece.isFaulty)
      .map(({ text }) => text);

  it('marks the faulty parts', () => {
    expect(faultyParts('invalid_name', 'Dear {{a|upper}}, see {{fine}} | there')).toEqual(['|']);
    expect(faultyParts('invalid_name', '{{prix €}} {{اسم العميل*}}')).toEqual(['€', '*']);
    expect(faultyParts('invalid_name', '{{a\u0007b}}')).toEqual(['U+0007']);
    expect(faultyParts('empty_field', 'Dear {{ }},')).toEqual(['{{ }}']);
    expect(faultyParts('unclosed_field', '{{fine}} Dear {{name,')).toEqual(['{{']);
    expect(splitContext({ code: 'unclosed_field', context: '{{fine}} {{' })[0]?.text).toBe('{{fine}} ');
    expect(faultyParts('lookalike_names', 'Name, name')).toEqual([]);
  });

  it('is complete', () => {
    const context = 'Dear {{a|b}} and {{c}}';
    const pieces = splitContext({ code: 'invalid_name', context });
    expect(pieces.map(({ text }) => text).join('')).toBe(context);
    expect(splitContext({ code: 'picture_missing', context: null })).toEqual([]);
  });
});
