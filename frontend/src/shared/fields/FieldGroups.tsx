import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldHelp } from '@/api/types';
import { offered, type Known } from '@/shared/answers/answers';
import { valueOf } from '@/shared/drafts';
import { isTooLong, lengthOf } from '@/shared/limits';
import type { Said } from '@/shared/pages/messages';
import { LIMITS } from '@/shared/settings';

import { FieldInput } from './FieldInput';
import classes from './fields.module.css';
import { groupsOf } from './groups';

interface FieldGroupsProps {
  /** The settings of each field, in the template's order. */
  help: readonly FieldHelp[];
  values: Record<string, string>;
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  /** The values of derived fields that are known so far. */
  derived: Record<string, Said>;
  /** The saved answers; without them nothing is offered. */
  known?: readonly Known[] | undefined;
  /** Called when a field gets the focus. */
  onField: (field: string) => void;
  onChange: (field: string, value: string) => void;
}

/** The inputs of all fields in the template's order, under their headings. */
export function FieldGroups(props: FieldGroupsProps) {
  const { help, values, lang, country, derived, known, onField, onChange } = props;
  const { t } = useTranslation();
  const labelOf = (field: string) => help.find((one) => one.field === field)?.label || field;
  return (
    <div className={classes['groups']} lang={lang}>
      {groupsOf(help).map(({ group, first, members }) => (
        <Group key={first} group={group}>
          {members.map((one) => {
            const { field } = one;
            const value = valueOf(values, field);
            return (
              <FieldInput
                key={field}
                help={one}
                value={value}
                lang={lang}
                country={country}
                said={Object.hasOwn(derived, field) ? derived[field] : undefined}
                labelOf={labelOf}
                offered={known ? offered(known, one, value) : null}
                onFocus={() => onField(field)}
                error={
                  isTooLong(value) &&
                  t('form.tooLong', { limit: LIMITS.valueCharacters, length: lengthOf(value) })
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
function Group({ group, children }: { group: string; children: ReactNode }) {
  if (!group) return <>{children}</>;
  return (
    <fieldset className={classes['group']}>
      <legend>
        <bdi>{group}</bdi>
      </legend>
      {children}
    </fieldset>
  );
}
