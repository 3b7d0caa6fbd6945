import { Button, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Derivation } from '@/api/types';
import { sourceFields } from '@/shared/templates/derivations';
import { isBlank } from '@/shared/drafts';
import { formatList } from '@/shared/i18n/format';
import type { DerivedValue } from '@/shared/pages/messages';

import type { CommonInputProps } from './FieldInput';
import classes from './fields.module.css';

interface DerivedInputProps {
  /** The input's `value` is the text that the user has typed. */
  input: CommonInputProps;
  derivation: Derivation;
  /** The derived value; undefined if it is only computed when the document is generated. */
  derivedValue: DerivedValue | undefined;
  /** Returns the label of a field. */
  labelOf: (field: string) => string;
  onChange: (value: string) => void;
}

/** The input of a derived field. It shows the derived value unless the user has typed another one. */
export function DerivedInput({ input, derivation, derivedValue, labelOf, onChange }: DerivedInputProps) {
  const { t, i18n } = useTranslation();
  const isOverridden = !isBlank(input.value);
  const fields = formatList(sourceFields(derivation).map(labelOf), i18n.language);
  const reason =
    derivedValue && 'unsaid' in derivedValue && derivedValue.unsaid !== 'empty' ? derivedValue.unsaid : null;
  return (
    <Textarea
      {...input}
      className={classes['derived'] ?? ''}
      data-derived={!isOverridden || undefined}
      minRows={1}
      value={isOverridden ? input.value : derivedValue && 'text' in derivedValue ? derivedValue.text : ''}
      description={
        <>
          {input.description}
          {input.description && ' '}
          {isOverridden ? t('derived.typed') : t(`derived.${derivation.kind}`, { fields })}{' '}
          {isOverridden && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange('')}>
              {t('derived.again', { fields })}
            </Button>
          )}
          {!isOverridden && reason && <strong>{t(`derived.unsaid.${reason}`)}</strong>}
        </>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
