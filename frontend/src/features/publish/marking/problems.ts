import type { Diagnostic, DiagnosticCode } from '@/api/types';
import type { FieldValues, StructuredField } from '@/shared/fields/values';
import type { FieldMark, FoundPlace, PageSelection } from '@/shared/pages/messages';

import { groupDiagnostics } from '../groupDiagnostics';

import { isShown, nameForText, overlap, type MarkedField } from './markedFields';

/** A problem of the document with the texts that have it. */
export interface DocumentProblem {
  /** The id, which stays while the problem and its text are the same. */
  id: string;
  diagnostic: Diagnostic;
  isError: boolean;
  /** The texts to search in the document. */
  selections: PageSelection[];
  /** True if a field at the first place repairs the problem. */
  isRepairable: boolean;
}

/** A problem with its places on the pages. */
export interface PlacedProblem extends DocumentProblem {
  /** The places in the text of the document. */
  places: FoundPlace[];
  /** The fields of the shown document at these places; empty if it is on no page. */
  shownFields: string[];
  /** The marked fields that the problem is about. */
  fieldIds: string[];
}

/** A word in a name that is not closed. A sign, an omission or the end of the text ends the name. */
const NAME = String.raw`[^\s{}.,;:!?،؛؟…]+`;

/** The faulty text for each code that a field can repair. The first pattern that is found counts. */
const REPAIRABLE_TEXTS: Partial<Record<DiagnosticCode, RegExp[]>> = {
  unclosed_field: [
    new RegExp(
      String.raw`\{\{(?![^{}]*\}\})\s*${NAME}(?: ${NAME}){0,3}(?:\}|(?=\s*(?:$|[{.,;:!?،؛؟])))`,
      'u',
    ),
    new RegExp(String.raw`\{\{(?![^{}]*\}\})\s*${NAME}\}?`, 'u'),
    /\{\{(?![^{}]*\}\})/u,
  ],
  empty_field: [/\{\{\s*\}\}/u],
  invalid_name: [/\{\{[^{}]*[^\p{L}\p{M}\p{N}\s_\-.'’/():,&#%°{}\u200c\u200d][^{}]*\}\}/u, /\{\{[^{}]*\}\}/u],
  stray_close: [/(?<!\{\{[^{}]*|\{)(?:\{[^{}.,;:!?…]*|[^\s{}]*)\}\}/u],
  foreign_syntax: [/\[\[[^[\]]*\]\]|«[^«»]*»|\$\{[^{}]*\}/u, /\{%|%\}|\$\{|\[\[|\]\]|«|»/u],
};

/** The problems of the tags of sections. */
const SECTION_CODES: ReadonlySet<DiagnosticCode> = new Set([
  'unclosed_section',
  'unopened_section',
  'crossed_sections',
  'section_across_containers',
  'section_beside_text',
  'sections_too_deep',
  'empty_section',
]);

/** The codes whose context is text of the document, and not the name of a control, font or picture. */
const TEXT_CODES: ReadonlySet<DiagnosticCode> = new Set([
  'nested_field',
  'field_across_paragraphs',
  'entry_outside_list',
]);

const OMISSION = '…';

/** Returns the problems of a document, errors first. `fields` are the fields that were marked in it. */
export function documentProblems(
  diagnostics: readonly Diagnostic[],
  fields: readonly MarkedField[],
): DocumentProblem[] {
  const texts = new Map(
    fields.filter(({ isAccepted }) => isAccepted).map(({ name, text }) => [name.trim(), text]),
  );
  // The original document has the texts, and not the fields that were made of them.
  const original = (text: string) =>
    text.replace(/\{\{([^{}]*)\}\}/gu, (all, name: string) => texts.get(name.trim()) ?? all);
  const seen = new Map<string, number>();
  return groupDiagnostics(diagnostics).flatMap(({ occurrences }) =>
    occurrences.map((diagnostic): DocumentProblem => {
      const { selections, isRepairable } = findSelections(diagnostic, original);
      const { code, severity, part, fields: names = [] } = diagnostic;
      const text = selections.map((one) => `${one.before}|${one.text}`).join(' ');
      const key = [code, part, ...names, text].join(' ');
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return {
        id: `${key} ${count}`,
        diagnostic,
        isError: severity === 'error',
        selections,
        isRepairable,
      };
    }),
  );
}

function findSelections(
  { code, context, fields = [], mark }: Diagnostic,
  original: (text: string) => string,
): Pick<DocumentProblem, 'selections' | 'isRepairable'> {
  const [name = ''] = fields;
  if (SECTION_CODES.has(code) || code === 'list_used_as_text') {
    const signs = code === 'list_used_as_text' ? [''] : ['#', '^', '/'];
    const selections = signs.map((sign) => ({ text: `{{${sign}${name}}}`, before: '', after: '' }));
    return { selections: name ? selections : [], isRepairable: false };
  }
  const text = context ?? '';
  const patterns = REPAIRABLE_TEXTS[code] ?? [];
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    const selection = selectionIn(text, found.index, found.index + found[0].length, original);
    return { selections: [selection], isRepairable: true };
  }
  const at = mark ? text.indexOf(mark.text) : -1;
  if (mark && at >= 0)
    return { selections: [selectionIn(text, at, at + mark.text.length, original)], isRepairable: false };
  const shown = original(text.replaceAll(OMISSION, '')).trim();
  const selections = TEXT_CODES.has(code) && shown ? [{ text: shown, before: '', after: '' }] : [];
  return { selections, isRepairable: false };
}

function selectionIn(
  text: string,
  start: number,
  end: number,
  original: (text: string) => string,
): PageSelection {
  const context = (part: string) => original(part.replaceAll(OMISSION, ''));
  return {
    text: text.slice(start, end),
    before: context(text.slice(0, start)),
    after: context(text.slice(end)),
  };
}

/** Returns the name of a field that repairs a problem. */
export function repairedName({ selections }: DocumentProblem, fallback: string): string {
  return nameForText(selections[0]?.text ?? '', fallback);
}

/** Returns the key under which the places of a selection are stored. */
export const selectionKey = (selection: PageSelection) => JSON.stringify(selection);

/** Finds problems in the shown document. Their texts become fields there, as suggestions do. */
export function placeProblems(
  problems: readonly DocumentProblem[],
  found: ReadonlyMap<string, FoundPlace[]>,
  fields: readonly MarkedField[],
  existing: readonly StructuredField[],
): { placed: PlacedProblem[]; marks: FieldMark[]; structure: StructuredField[]; values: FieldValues } {
  const marks: FieldMark[] = [];
  const values: FieldValues = {};
  const shown = fields.filter(isShown);
  /** Returns the field of the shown document at a place. */
  const fieldAt = (place: Pick<FieldMark, 'part' | 'paragraph' | 'start' | 'end'>, text: string): string => {
    const field = shown.find(({ places }) => places.some((other) => overlap(other, place)));
    const marked = field?.id ?? marks.find((other) => overlap(other, place))?.name;
    if (marked !== undefined) return marked;
    const name = `waraq problem ${marks.length + 1}`;
    const { part, paragraph, start, end } = place;
    marks.push({ part, paragraph, start, end, name, kind: 'text' });
    values[name] = text;
    return name;
  };
  const placed = problems.map((problem): PlacedProblem => {
    const names = problem.diagnostic.fields ?? [];
    const marked = fields.filter(({ name, isAccepted }) => isAccepted && names.includes(name.trim()));
    const places = problem.selections.flatMap((selection) => found.get(selectionKey(selection)) ?? []);
    const shownFields = problem.selections.flatMap((selection) =>
      (found.get(selectionKey(selection)) ?? [])
        .filter(({ last_paragraph }) => last_paragraph === undefined)
        .map((place) => fieldAt(place, selection.text)),
    );
    for (const field of marked) {
      if (isShown(field)) shownFields.push(field.id);
      else
        field.places
          .filter(({ start, end, form }) => start < end && form !== 'picture')
          .forEach((place) => shownFields.push(fieldAt(place, field.text)));
    }
    if (places.length === 0) {
      const texts = existing.filter(({ name, type }) => type === 'text' && names.includes(name));
      shownFields.push(...texts.map(({ name }) => name));
    }
    return {
      ...problem,
      places,
      shownFields: [...new Set(shownFields)],
      fieldIds: marked.map(({ id }) => id),
    };
  });
  const structure = marks.map(({ name }): StructuredField => ({ name, type: 'text' }));
  return { placed, marks, structure, values };
}

/**
 * Returns true if a problem of an earlier check cannot be there any more: its text has become a field, or its names are no
 * longer in use.
 */
export function isRepaired(
  { diagnostic, isRepairable, places, selections }: PlacedProblem,
  checkedFields: readonly MarkedField[],
  fields: readonly MarkedField[],
): boolean {
  const accepted = fields.filter(({ isAccepted }) => isAccepted);
  if (isRepairable && selections.length > 0 && places[0]) {
    const [place] = places;
    return accepted.some(
      ({ role, places: others }) => role === 'value' && others.some((other) => overlap(other, place)),
    );
  }
  const names = diagnostic.fields ?? [];
  const uses = (all: readonly MarkedField[], name: string) =>
    all.filter((field) => field.isAccepted && field.name.trim() === name);
  const changed = names.filter((name) => uses(fields, name).length < uses(checkedFields, name).length);
  if (changed.length === 0) return false;
  // A name that is both needs both of its fields. Another name needs only one.
  if (diagnostic.code === 'list_used_as_text') return true;
  return changed.some((name) => uses(fields, name).length === 0);
}
