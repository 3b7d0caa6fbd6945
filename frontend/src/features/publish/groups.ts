import type { Finding, FindingCode } from '@/api/types';

/** Problems with the same code at several places. */
export interface Group {
  code: FindingCode;
  error: boolean;
  /** The places, without repetitions. */
  places: Finding[];
}

/** Groups problems by code, errors first, then in the order of the file. Repetitions at one place are dropped. */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const groups = new Map<FindingCode, Group>();
  for (const finding of findings) {
    const group = groups.get(finding.code) ?? {
      code: finding.code,
      error: finding.severity === 'error',
      places: [],
    };
    groups.set(finding.code, group);
    group.error ||= finding.severity === 'error';
    // A font problem concerns the whole file, wherever it was found first.
    const isSame = (other: Finding) =>
      other.context === finding.context &&
      (finding.code === 'font_without_metric_twin' ||
        (other.part === finding.part && other.paragraph === finding.paragraph));
    if (!group.places.some(isSame)) group.places.push(finding);
  }
  return [...groups.values()].sort((one, other) => Number(other.error) - Number(one.error));
}

/** A part of the text around a problem. `wrong` marks the faulty characters. */
export interface Piece {
  text: string;
  wrong: boolean;
}

/** The characters that a field name may not contain (design §3). In a long name they are easily overlooked. */
const NO_NAME_CHARACTER = /[^\p{L}\p{M}\p{N}\s_\-.'’/():,&#%°]/gu;

/** The pattern of the faulty characters for each code. */
const WRONG: Partial<Record<FindingCode, RegExp>> = {
  unclosed_field: /\{\{(?![^{]*\}\})/g,
  nested_field: /\{\{(?=[^}]*\{\{)/g,
  empty_field: /\{\{\s*\}\}/g,
  stray_close: /\}\}/g,
  foreign_syntax: /\{%|%\}|\$\{|\[\[|\]\]|«|»/g,
};

/** Splits the text around a problem into faulty and other parts. */
export function piecesOf({ code, context }: Pick<Finding, 'code' | 'context'>): Piece[] {
  const text = context ?? '';
  const ranges: [number, number][] = [];
  const mark = (pattern: RegExp, within: string, from: number) => {
    for (const match of within.matchAll(pattern))
      ranges.push([from + match.index, from + match.index + match[0].length]);
  };
  if (code === 'invalid_name') {
    for (const field of text.matchAll(/\{\{([^{}]*)\}\}/g))
      mark(NO_NAME_CHARACTER, field[1] ?? '', field.index + 2);
  }
  const pattern = WRONG[code];
  if (pattern) mark(pattern, text, 0);
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at) pieces.push({ text: text.slice(at, from), wrong: false });
    pieces.push({ text: shown(text.slice(from, to)), wrong: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), wrong: false });
  return pieces;
}

/** Replaces invisible characters by their code points. */
function shown(text: string): string {
  return text.replace(/[\p{C}\p{Z}]/gu, (character) => {
    const number = character.codePointAt(0) ?? 0;
    return character === ' ' ? character : `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
