import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '@/api/types';
import { offeredAnswers, type SavedAnswer } from '@/shared/savedAnswers/answers';
import { fieldValue } from '@/shared/drafts';
import { isTooLong, characterCount } from '@/shared/limits';
import type { DerivedValue } from '@/shared/pages/messages';
import { LIMITS } from '@/shared/settings';

import { FieldInput } from './FieldInput';
import classes from './fields.module.css';
import { groupFields } from './groups';

interface FieldGroupsProps {
  /** The settings of each field, in the template's order. */
  settings: readonly FieldSettings[];
  values: Record<string, string>;
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  /** The values of derived fields that are known so far. */
  derivedValues: Record<string, DerivedValue>;
  /** The saved answers; without them nothing is offered. */
  savedAnswers?: readonly SavedAnswer[] | undefined;
  /** Called when a field gets the focus. */
  onFieldFocus: (field: string) => void;
  onChange: (field: string, value: string) => void;
}

/** The inputs of all fields in the template's order, under their headings. */
export function FieldGroups(props: FieldGroupsProps) {
  const { settings, values, lang, country, derivedValues, savedAnswers, onFieldFocus, onChange } = props;
  const { t } = useTranslation();
  const labelOf = (field: string) => settings.find((one) => one.field === field)?.label || field;
  return (
    <div className={classes['groups']} lang={lang}>
      {groupFields(settings).map(({ group, firstField, settings }) => (
        <Group key={firstField} heading={group}>
          {settings.map((one) => {
            const { field } = one;
            const value = fieldValue(values, field);
            return (
              <FieldInput
                key={field}
                settings={one}
                value={value}
                lang={lang}
                country={country}
                derivedValue={Object.hasOwn(derivedValues, field) ? derivedValues[field] : undefined}
                labelOf={labelOf}
                offeredAnswers={savedAnswers ? offeredAnswers(savedAnswers, one, value) : null}
                onFocus={() => onFieldFocus(field)}
                error={
                  isTooLong(value) &&
                  t('form.tooLong', { limit: LIMITS.valueCharacters, length: characterCount(value) })
                }
                onChange={(entered) => onChange(field, entered)}
              />
            );
          })}
        </Group>
      ))}
    </div>
  );
}

/** The fields of a group under its heading, or without one. */
function Group({ heading, children }: { heading: string; children: ReactNode }) {
  if (!heading) return <>{children}</>;
  return (
    <fieldset className={classes['group']}>
      <legend>
        <bdi>{heading}</bdi>
      </legend>
      {children}
    </fieldset>
  );
}
