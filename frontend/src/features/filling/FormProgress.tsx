import { Button, Progress, Text } from '@mantine/core';
import { memo, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import type { FormStore } from '@/shared/fields/formStore';
import { shownFields, type TemplateSections } from '@/shared/fields/sectionConditions';
import { isEmptyValue, valueOfType, type FieldValues } from '@/shared/fields/values';
import type { DerivedValue } from '@/shared/pages/messages';
import { useStore } from '@/shared/store';

import classes from './FormPage.module.css';

interface FormProgressProps {
  settings: FieldSettings[];
  lang: string;
  values: FormStore<FieldValues>;
  derivedValues: FormStore<Record<string, DerivedValue>>;
  sections: TemplateSections;
  onFieldClick: (field: string) => void;
  onClear: () => void;
}

/** How many fields are filled in, and which are empty. It depends on all fields, so it follows after the key is shown. */
export const FormProgress = memo(function FormProgress(props: FormProgressProps) {
  const values = useDeferredValue(useStore(props.values));
  const derivedValues = useDeferredValue(useStore(props.derivedValues));
  return <ProgressOf {...props} values={values} derivedValues={derivedValues} />;
});

interface ProgressOfProps extends Omit<FormProgressProps, 'values' | 'derivedValues'> {
  values: FieldValues;
  derivedValues: Record<string, DerivedValue>;
}

const ProgressOf = memo(function ProgressOf(props: ProgressOfProps) {
  const { settings, lang, values, derivedValues, sections, onFieldClick, onClear } = props;
  const { t } = useTranslation();
  // A closed list is not rendered, because it may have thousands of fields.
  const [showsEmpty, setShowsEmpty] = useState(false);
  const hasEntries = settings.some((one) => !isEmptyValue(valueOfType(values, structuredField(one))));
  const { counted, empty } = emptyFields(settings, values, sections, derivedValues);
  const filled = counted - empty.length;
  return (
    <div className={classes['progress']}>
      <Text size="sm" c="dimmed" id="filled">
        {settings.length === 0 ? t('form.noFields') : t('form.filled', { total: counted, filled })}
      </Text>
      {hasEntries && (
        <Button variant="subtle" size="compact-sm" fw={400} onClick={onClear}>
          {t('form.clear')}
        </Button>
      )}
      {counted > 0 && (
        <Progress.Root className={classes['meter'] ?? ''} size={4} transitionDuration={0}>
          <Progress.Section value={(filled / counted) * 100} aria-labelledby="filled" />
        </Progress.Root>
      )}
      {filled > 0 && empty.length > 0 && (
        <details
          className={classes['empty']}
          open={showsEmpty}
          onToggle={(event) => setShowsEmpty(event.currentTarget.open)}
        >
          <summary>{t('form.empty', { count: empty.length })}</summary>
          {showsEmpty && (
            <ul>
              {empty.map(({ field, label }) => (
                <li key={field}>
                  <button type="button" lang={lang} onClick={() => onFieldClick(field)}>
                    <bdi>{label || field}</bdi>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
    </div>
  );
});

/** Returns the shown fields that ask for a value, and those of them that have none. A yes/no field always has an answer. */
export function emptyFields(
  settings: readonly FieldSettings[],
  values: FieldValues,
  sections: TemplateSections,
  derivedValues: Record<string, DerivedValue>,
): { counted: number; empty: FieldSettings[] } {
  const hasDerivedText = (field: string) => {
    const derivedValue = Object.hasOwn(derivedValues, field) ? derivedValues[field] : undefined;
    return derivedValue !== undefined && 'text' in derivedValue;
  };
  const counted = shownFields(settings, values, sections).filter(({ kind }) => kind !== 'yes_no');
  const empty = counted.filter(
    (one) => isEmptyValue(valueOfType(values, structuredField(one))) && !hasDerivedText(one.field),
  );
  return { counted: counted.length, empty };
}
