import { useMemo, useState } from 'react';

import { structuredField } from '@/shared/fields/fieldSettings';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { completeValues, isEmptyValue, type FieldValue, type FieldValues } from '@/shared/fields/values';

import { effectiveSettings, setDeclaredKinds } from '../fieldSettings';
import type { CheckResult } from '../useTemplateCheck';

import { declaredKinds, type MarkedField } from './markedFields';

const NO_FIELDS: MarkedField[] = [];

/** The test fill of the document with its accepted fields. The values stay while the fields change. */
export function useTestFill(
  checked: { result: CheckResult; fields: readonly MarkedField[] } | undefined,
  lang: string,
  country: string | null,
) {
  const [values, setValues] = useState<ReadonlyMap<string, FieldValue>>(new Map());
  const result = checked?.result;
  const fields = checked?.fields ?? NO_FIELDS;
  const settings = useMemo(() => {
    const detected = result?.settings ?? [];
    const overrides = setDeclaredKinds({}, detected, declaredKinds(fields));
    return detected.map((one) => effectiveSettings(one, overrides));
  }, [result, fields]);
  const { inputProps, pagesProps } = useLinkedFields(settings, lang, country);
  // A value belongs to the marked field, so that it stays when the field is renamed.
  const keys = useMemo(
    () => new Map(fields.filter(({ isAccepted }) => isAccepted).map(({ id, name }) => [name.trim(), id])),
    [fields],
  );
  // Values of fields that were removed are kept, for undo, but not filled in.
  const current = useMemo(
    () =>
      Object.fromEntries(
        settings.flatMap(({ field }): [string, FieldValue][] => {
          const value = values.get(keys.get(field) ?? field);
          return value === undefined ? [] : [[field, value]];
        }),
      ),
    [settings, keys, values],
  );
  const completed = completeValues(current, settings.map(structuredField));
  const isFilled = Object.values(completed).some((value) => !isEmptyValue(value));
  return {
    result,
    settings,
    formProps: { ...inputProps, settings, lang, country, values: current },
    pagesProps: {
      ...pagesProps,
      docx: result?.docx,
      pdf: result?.pdf,
      values: isFilled ? completed : undefined,
    },
    change: (changed: FieldValues) => {
      const entries = Object.entries(changed).map(([field, value]): [string, FieldValue] => [
        keys.get(field) ?? field,
        value,
      ]);
      setValues((before) => new Map(entries.length === 0 ? [] : [...before, ...entries]));
    },
  };
}
