import type { Diagnostic, DiagnosticCode } from '@/api/types';

/** The problems with one code. */
export interface DiagnosticGroup {
  code: DiagnosticCode;
  isError: boolean;
  /** The problems, without those that only repeat another one. */
  occurrences: Diagnostic[];
}

/**
 * Groups problems by code, errors first, then in the order of the file. Problems that repeat another one at the same
 * paragraph are dropped.
 */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticGroup[] {
  const groups = new Map<DiagnosticCode, DiagnosticGroup>();
  for (const diagnostic of diagnostics) {
    const group = groups.get(diagnostic.code) ?? {
      code: diagnostic.code,
      isError: diagnostic.severity === 'error',
      occurrences: [],
    };
    groups.set(diagnostic.code, group);
    group.isError ||= diagnostic.severity === 'error';
    // A font problem concerns the whole file, wherever it was found first.
    const isSameOccurrence = (other: Diagnostic) =>
      other.context === diagnostic.context &&
      other.mark?.text === diagnostic.mark?.text &&
      (diagnostic.code === 'font_without_metric_twin' ||
        (other.part === diagnostic.part && other.paragraph === diagnostic.paragraph));
    if (!group.occurrences.some(isSameOccurrence)) group.occurrences.push(diagnostic);
  }
  return [...groups.values()].sort((one, other) => Number(other.isError) - Number(one.isError));
}

/** A part of the text around a problem. `isFaulty` marks the characters that cause it. */
export interface ContextPart {
  text: string;
  isFaulty: boolean;
}

/** The characters that a field name may not contain (design §3). In a long name they are easily overlooked. */
const INVALID_NAME_CHARACTERS = /[^\p{L}\p{M}\p{N}\s_\-.'’/():,&#%°]/gu;

/** The pattern of the faulty characters for each code. */
const FAULTY_PATTERNS: Partial<Record<DiagnosticCode, RegExp>> = {
  unclosed_field: /\{\{(?![^{]*\}\})/g,
  nested_field: /\{\{(?=[^}]*\{\{)/g,
  empty_field: /\{\{\s*\}\}/g,
  stray_close: /\}\}/g,
  foreign_syntax: /\{%|%\}|\$\{|\[\[|\]\]|«|»/g,
};

/** Splits the text around a problem into faulty and other parts. */
export function splitContext({
  code,
  context,
  mark,
}: Pick<Diagnostic, 'code' | 'context' | 'mark'>): ContextPart[] {
  const text = context ?? '';
  const ranges: [number, number][] = [];
  const addRanges = (pattern: RegExp, within: string, from: number) => {
    for (const match of within.matchAll(pattern))
      ranges.push([from + match.index, from + match.index + match[0].length]);
  };
  if (code === 'invalid_name') {
    for (const field of text.matchAll(/\{\{([^{}]*)\}\}/g))
      addRanges(INVALID_NAME_CHARACTERS, field[1] ?? '', field.index + 2);
  }
  const markStart = mark ? text.indexOf(mark.text) : -1;
  if (mark && markStart >= 0) ranges.push([markStart, markStart + mark.text.length]);
  const pattern = FAULTY_PATTERNS[code];
  if (pattern) addRanges(pattern, text, 0);
  const parts: ContextPart[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) parts.push({ text: text.slice(end, from), isFaulty: false });
    parts.push({ text: showInvisible(text.slice(from, to)), isFaulty: true });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFaulty: false });
  return parts;
}

/** Replaces invisible characters by their code points. */
function showInvisible(text: string): string {
  return text.replace(/[\p{C}\p{Z}]/gu, (character) => {
    const number = character.codePointAt(0) ?? 0;
    return character === ' ' ? character : `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
