import type { SectionCondition, SectionConditions } from '@/shared/fields/sectionConditions';
import type { FieldValue, FieldValues, StructuredField } from '@/shared/fields/values';

/** Templates with more yes/no fields have no conditions, because each yes/no field costs two layouts. */
const MAX_YES_NO_FIELDS = 12;

/** A picture of one pixel. */
const SMALL_PICTURE = {
  image:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

/**
 * Finds the sections that each field lies in. `printedFields` returns the names of the fields that the document prints
 * with these values. A field that disappears when only one answer changes lies in the section of that yes/no field.
 */
export async function findSectionConditions(
  structure: readonly StructuredField[],
  printedFields: (values: FieldValues) => Promise<ReadonlySet<string>>,
): Promise<SectionConditions> {
  const switches = structure.filter(({ type }) => type === 'yes_no').map(({ name }) => name);
  if (switches.length === 0 || switches.length > MAX_YES_NO_FIELDS) return {};
  const conditions = new Map<string, SectionCondition[]>();
  for (const answer of [true, false]) {
    const values = sampleValues(structure, answer);
    const printed = await printedFields(values);
    for (const field of switches) {
      const without = await printedFields({ ...values, [field]: !answer });
      for (const name of printed) {
        if (!without.has(name)) conditions.set(name, [...(conditions.get(name) ?? []), { field, answer }]);
      }
    }
  }
  return Object.fromEntries(conditions);
}

/** Returns values with which each field is printed wherever its sections are. */
function sampleValues(fields: readonly StructuredField[], answer: boolean): Record<string, FieldValue> {
  return Object.fromEntries(fields.map((field) => [field.name, sampleValue(field, answer)]));
}

function sampleValue({ type, columns = [] }: StructuredField, answer: boolean): FieldValue {
  switch (type) {
    case 'yes_no':
      return answer;
    case 'list':
      return [sampleValues(columns, answer)];
    case 'picture':
    case 'signature':
      return SMALL_PICTURE;
    default:
      return 'x';
  }
}
