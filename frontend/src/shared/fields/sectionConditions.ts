import { isTooLong } from '@/shared/limits';

import { structuredField, type FieldSettings } from './fieldSettings';
import { isQrCodeTooLong } from './textProblem';
import { textsOf, valueOfType, type FieldValues } from './values';

/** A field is printed only if the yes/no field `field` has this answer. */
export interface SectionCondition {
  field: string;
  answer: boolean;
}

/** The conditions of the fields that occur only in sections of yes/no fields. A field needs all of its conditions. */
export type SectionConditions = Record<string, SectionCondition[]>;

/** The sections of a template, as its pages show them. */
export interface TemplateSections {
  conditions: SectionConditions;
  /** The fields with conditions that the pages show now. */
  printed: string[];
}

export const NO_SECTIONS: TemplateSections = { conditions: {}, printed: [] };

/**
 * Returns the fields that a form shows, in their order. A field is hidden while a section that it lies in is not printed.
 * A field stays if the pages show it all the same, or if its text cannot be sent.
 */
export function shownFields(
  settings: readonly FieldSettings[],
  values: FieldValues,
  { conditions, printed }: TemplateSections,
): readonly FieldSettings[] {
  if (Object.keys(conditions).length === 0) return settings;
  const answers = new Map(
    settings
      .filter(({ kind }) => kind === 'yes_no')
      .map((one) => [one.field, valueOfType(values, structuredField(one))]),
  );
  const isMet = ({ field, answer }: SectionCondition) => (answers.get(field) ?? answer) === answer;
  return settings.filter((one) => {
    const ownConditions = Object.hasOwn(conditions, one.field) ? conditions[one.field] : undefined;
    return (
      ownConditions === undefined ||
      ownConditions.every(isMet) ||
      printed.includes(one.field) ||
      hasUnsendableText(one, values)
    );
  });
}

function hasUnsendableText(settings: FieldSettings, values: FieldValues): boolean {
  const texts = textsOf(valueOfType(values, structuredField(settings)));
  return texts.some((text) => isTooLong(text) || isQrCodeTooLong(text, settings.kind));
}

/** Returns the labels of the fields that a yes/no field shows with an answer. */
export function labelsShownBy(
  settings: readonly FieldSettings[],
  { conditions }: TemplateSections,
  field: string,
  answer: boolean,
): string[] {
  return settings
    .filter((one) => Object.hasOwn(conditions, one.field))
    .filter((one) =>
      conditions[one.field]?.some((needed) => needed.field === field && needed.answer === answer),
    )
    .map((one) => one.label || one.field);
}
