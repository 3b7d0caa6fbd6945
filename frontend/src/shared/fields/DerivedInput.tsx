import { ActionIcon, Button, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { formatList } from '@/shared/i18n/format';
import type { DerivedValue } from '@/shared/pages/messages';
import { sourceFields } from '@/shared/templates/derivations';

import { CellTextarea } from './CellTextarea';
import type { CommonInputProps } from './FieldInput';
import type { FieldDerivation } from './fieldSettings';
import classes from './fields.module.css';
import { UndoIcon } from './icons';
import { isBlank } from './values';

interface DerivedInputProps {
  /** The input's `value` is the text that the user has typed. */
  input: CommonInputProps;
  /** True for a cell of a list. Its column describes how it is derived. */
  isCell: boolean;
  derivation: FieldDerivation;
  /** The derived value; undefined if it is only computed when the document is generated. */
  derivedValue: DerivedValue | undefined;
  /** Returns the label of a field or column. */
  labelOf: (field: string) => string;
  onChange: (value: string) => void;
}

/** The input of a derived field. It shows the derived value unless the user has typed another one. */
export function DerivedInput(props: DerivedInputProps) {
  const { input, isCell, derivation, derivedValue, labelOf, onChange } = props;
  const { t, i18n } = useTranslation();
  const isOverridden = !isBlank(input.value);
  const fields = formatList(sourceFields(derivation).map(labelOf), i18n.language);
  const reason =
    derivedValue && 'unsaid' in derivedValue && derivedValue.unsaid !== 'empty' ? derivedValue.unsaid : null;
  const again = t('derived.again', { fields });
  const shownValue = isOverridden
    ? input.value
    : derivedValue && 'text' in derivedValue
      ? derivedValue.text
      : '';
  const typed = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (isCell) {
    return (
      <CellTextarea
        {...input}
        value={shownValue}
        data-derived={!isOverridden || undefined}
        description={!isOverridden && reason ? t(`derived.unsaid.${reason}`) : undefined}
        rightSection={
          isOverridden ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={again}
              title={again}
              onClick={() => onChange('')}
            >
              <UndoIcon size={16} />
            </ActionIcon>
          ) : undefined
        }
        onChange={typed}
      />
    );
  }
  return (
    <Textarea
      {...input}
      className={classes['derived'] ?? ''}
      data-derived={!isOverridden || undefined}
      minRows={1}
      value={shownValue}
      description={
        <>
          {input.description}
          {input.description && ' '}
          {isOverridden ? t('derived.typed') : t(`derived.${derivation.kind}`, { fields })}{' '}
          {isOverridden && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange('')}>
              {again}
            </Button>
          )}
          {!isOverridden && reason && <strong>{t(`derived.unsaid.${reason}`)}</strong>}
        </>
      }
      onChange={typed}
    />
  );
}
