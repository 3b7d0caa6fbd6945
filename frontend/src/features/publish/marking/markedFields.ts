import type { FieldKind } from '@/shared/fields/fieldSettings';
import {
  emptyValue,
  type FieldValue,
  type FieldValues,
  type Row,
  type StructuredField,
} from '@/shared/fields/values';
import type { Blank, BlankForm, FieldMark, TextPlace } from '@/shared/pages/messages';

/** What a marked place becomes: the value of a field, a text that can be left out, or a row that repeats. */
export type MarkRole = 'value' | 'optional' | 'row';

export interface MarkedPlace extends TextPlace {
  /** Missing for a place that the author has chosen. */
  form?: BlankForm | undefined;
  object?: number | undefined;
  continuation?: number[] | undefined;
}

/** A field that an author makes of blanks or of chosen places. */
export interface MarkedField {
  /** The id, which is the name of the field in the document that the editor shows. */
  id: string;
  name: string;
  kind: FieldKind;
  choices: string[];
  role: MarkRole;
  /** False for a suggestion that is not accepted. */
  isAccepted: boolean;
  /** True if the detection is not sure. */
  isUncertain: boolean;
  /** True if the author has chosen the places. */
  isChosen: boolean;
  places: MarkedPlace[];
  /** The text of the first place, and the text around it. */
  text: string;
  context: string;
}

/** The most characters of a name (crates/rules/src/name.rs). */
export const MAX_NAME_CHARACTERS = 100;

const idOf = (number: number) => `waraq field ${number}`;

/** Returns the suggested fields of a document. Blanks with the same key are one field. */
export function suggestedFields(blanks: readonly Blank[]): MarkedField[] {
  const byKey = new Map<string, MarkedField>();
  for (const { name, key, text, kind, choices, confidence, context, ...rest } of blanks) {
    const { part, paragraph, start, end, form, object, continuation } = rest;
    const place = { part, paragraph, start, end, form, object, continuation };
    const field = byKey.get(key);
    if (field) field.places.push(place);
    else
      byKey.set(key, {
        id: idOf(byKey.size + 1),
        name,
        kind,
        choices,
        role: 'value',
        isAccepted: false,
        isUncertain: confidence === 'low',
        isChosen: false,
        places: [place],
        text,
        context,
      });
  }
  return [...byKey.values()];
}

/** The part of a new field that the author decides. */
export type ChosenField = Pick<MarkedField, 'name' | 'role' | 'places' | 'text' | 'context'>;

/** Returns true if both places have a character in common, or are the same position. */
export function overlap(one: TextPlace, other: TextPlace): boolean {
  if (one.part !== other.part || one.paragraph !== other.paragraph) return false;
  if (one.start === one.end || other.start === other.end)
    return one.start === other.start && one.end === other.end;
  return one.start < other.end && other.start < one.end;
}

function findOverlap(fields: readonly MarkedField[], places: readonly TextPlace[]): MarkedField[] {
  return fields.filter(
    ({ role, places: others }) =>
      role === 'value' && others.some((other) => places.some((place) => overlap(place, other))),
  );
}

/**
 * Adds a field that the author has chosen. It replaces suggestions at the same places. Returns null if an accepted
 * field is there already.
 */
export function addField(
  fields: readonly MarkedField[],
  chosen: ChosenField,
): { fields: MarkedField[]; id: string } | null {
  const overlapping = chosen.role === 'value' ? findOverlap(fields, chosen.places) : [];
  if (overlapping.some(({ isAccepted }) => isAccepted)) return null;
  const numbers = fields.map(({ id }) => Number(id.slice(id.lastIndexOf(' ') + 1)));
  const id = idOf(Math.max(0, ...numbers) + 1);
  const field: MarkedField = {
    ...chosen,
    id,
    kind: chosen.role === 'optional' ? 'yes_no' : chosen.role === 'row' ? 'list' : 'text',
    choices: [],
    isAccepted: true,
    isUncertain: false,
    isChosen: true,
  };
  const others = fields.filter((one) => !overlapping.includes(one));
  // The list has the order of the document.
  const at = others.findIndex((other) => compare(other, field) > 0);
  return { id, fields: at < 0 ? [...others, field] : others.toSpliced(at, 0, field) };
}

/** Compares the first places of fields of one part. Fields of other parts stay where they are. */
function compare(one: MarkedField, other: MarkedField): number {
  const [a, b] = [one.places[0], other.places[0]];
  if (!a || !b || a.part !== b.part) return 0;
  return a.paragraph - b.paragraph || a.start - b.start;
}

type FieldChange = Partial<Pick<MarkedField, 'name' | 'kind' | 'choices' | 'isAccepted'>>;

/** Changes a field. Returns the same array if the field has these values already. */
export function changeField(fields: MarkedField[], id: string, change: FieldChange): MarkedField[] {
  const field = fields.find((one) => one.id === id);
  if (!field) return fields;
  const changed = { ...field, ...change };
  const isSame = (Object.keys(change) as (keyof FieldChange)[]).every((key) => field[key] === changed[key]);
  return isSame ? fields : fields.map((one) => (one === field ? changed : one));
}

export function removeField(fields: readonly MarkedField[], id: string): MarkedField[] {
  return fields.filter((field) => field.id !== id);
}

/** Accepts all suggestions that are certain. */
export function acceptAll(fields: readonly MarkedField[]): MarkedField[] {
  return fields.map((field) => ({ ...field, isAccepted: field.isAccepted || !field.isUncertain }));
}

/** The kind with which a place is marked. */
function markedKind({ role, kind, places }: MarkedField): FieldKind {
  if (role !== 'value') return role === 'row' ? 'list' : 'yes_no';
  // Only a check box can be marked as yes or no. Other texts would become optional.
  const isCheckBox = places.every(({ form }) => form === 'check_box');
  return kind === 'yes_no' && !isCheckBox ? 'text' : kind;
}

function toMark({
  part,
  paragraph,
  start,
  end,
  last_paragraph,
  ...rest
}: MarkedPlace): Omit<FieldMark, 'name' | 'kind'> {
  const { form, object, continuation } = rest;
  return {
    part,
    paragraph,
    start,
    end,
    ...(last_paragraph !== undefined && { last_paragraph }),
    ...(form !== undefined && { form }),
    ...(object !== undefined && { object }),
    ...(continuation !== undefined && { continuation }),
  };
}

/** Returns the marks of the accepted fields, for the file that is published. */
export function marksToWrite(fields: readonly MarkedField[]): FieldMark[] {
  return fields
    .filter(({ isAccepted }) => isAccepted)
    .flatMap((field) =>
      field.places.map((place) => ({ ...toMark(place), name: field.name.trim(), kind: markedKind(field) })),
    );
}

/**
 * Returns the marks of the document that the editor shows. All texts are fields there, accepted or not, so that the
 * pages can highlight them. Their names are the ids, so that a new name changes no page.
 */
export function marksToShow(fields: readonly MarkedField[]): FieldMark[] {
  return fields
    .filter(isShown)
    .flatMap(({ id, places }) => places.map((place) => ({ ...toMark(place), name: id, kind: 'text' })));
}

export function isShown({ role, places }: MarkedField): boolean {
  return role === 'value' && places.every(({ form }) => form !== 'picture');
}

/** Returns the fields of the shown document: those that the file has already, and the marked ones. */
export function shownStructure(
  existing: readonly StructuredField[],
  fields: readonly MarkedField[],
): StructuredField[] {
  return [
    ...existing,
    ...fields.filter(isShown).map(({ id }): StructuredField => ({ name: id, type: 'text' })),
  ];
}

/** The line that is shown for blanks without characters of their own. */
const LINE = '\u2009_'.repeat(10);

/**
 * Returns the values of the shown document: the name of an accepted field, or the text that the document has. The sections
 * that the file has already are open, so that their text can be marked.
 */
export function shownValues(
  existing: readonly StructuredField[],
  fields: readonly MarkedField[],
): FieldValues {
  return {
    ...openSections(existing),
    ...Object.fromEntries(
      fields
        .filter(isShown)
        .map((field) => [field.id, field.isAccepted ? `[${field.name}]` : originalText(field)]),
    ),
  };
}

function openSections(existing: readonly StructuredField[]): FieldValues {
  return Object.fromEntries(
    existing.flatMap(({ name, type, columns = [] }): [string, FieldValue][] =>
      type === 'yes_no' ? [[name, true]] : type === 'list' ? [[name, [openRow(columns)]]] : [],
    ),
  );
}

function openRow(columns: readonly StructuredField[]): Row {
  const empty = columns.map(({ name, type }): [string, FieldValue] => [name, emptyValue(type)]);
  return { ...Object.fromEntries(empty), ...openSections(columns) };
}

function originalText({ text, places }: MarkedField): string {
  const form = places[0]?.form;
  if (form === 'tab_leader' || form === 'underlined_space') return LINE;
  return text.trim() ? text : '';
}

/** Returns the problem of a name. */
export function nameProblem(name: string): 'nameMissing' | 'nameTooLong' | 'nameCharacters' | null {
  const trimmed = name.trim();
  if (!trimmed) return 'nameMissing';
  if ([...trimmed].length > MAX_NAME_CHARACTERS) return 'nameTooLong';
  if (/^[#^/]/.test(trimmed) || /[^\p{L}\p{M}\p{Nd} _\-.'’/():,&#%°\u200c\u200d]/u.test(trimmed))
    return 'nameCharacters';
  return null;
}

/** Returns the declared kind of each accepted field, by name. */
export function declaredKinds(
  fields: readonly MarkedField[],
): Map<string, Pick<MarkedField, 'kind' | 'choices'>> {
  return new Map(
    fields
      .filter(({ isAccepted }) => isAccepted)
      .map(({ name, kind, choices }) => [name.trim(), { kind, choices }]),
  );
}

/** Suggests the name of a field for a selected text. */
export function nameForText(text: string, fallback: string): string {
  const words = text
    .replace(/[^\p{L}\p{M}\p{Nd} \-.'’]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return words && words.length <= 40 && /\p{L}/u.test(words) ? words : fallback;
}
