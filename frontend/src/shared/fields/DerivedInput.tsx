import { Button, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Derivation } from '@/api/types';
import { sourcesOf } from '@/shared/documents/making';
import { isBlank } from '@/shared/drafts';
import { listFormat } from '@/shared/i18n/format';
import type { Said } from '@/shared/pages/messages';

import type { InputProps } from './FieldInput';
import classes from './fields.module.css';

interface DerivedInputProps {
  /** The input's `value` is the text that the user has typed. */
  input: InputProps;
  derivation: Derivation;
  /** The derived value; undefined if it is only computed when the document is made. */
  said: Said | undefined;
  /** Returns the label of a field. */
  labelOf: (field: string) => string;
  onChange: (value: string) => void;
}

/**
 * The input of a derived field. It shows the derived value until the user types another, and again after that is
 * cleared.
 */
export function DerivedInput({ input, derivation, said, labelOf, onChange }: DerivedInputProps) {
  const { t, i18n } = useTranslation();
  const typed = !isBlank(input.value);
  const fields = listFormat(sourcesOf(derivation).map(labelOf), i18n.language);
  const why = said && 'unsaid' in said && said.unsaid !== 'empty' ? said.unsaid : null;
  return (
    <Textarea
      {...input}
      className={classes['derived'] ?? ''}
      data-derived={!typed || undefined}
      minRows={1}
      value={typed ? input.value : said && 'text' in said ? said.text : ''}
      description={
        <>
          {input.description}
          {input.description && ' '}
          {typed ? t('derived.typed') : t(`derived.${derivation.kind}`, { fields })}{' '}
          {typed && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange('')}>
              {t('derived.again', { fields })}
            </Button>
          )}
          {!typed && why && <strong>{t(`derived.unsaid.${why}`)}</strong>}
        </>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
