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
  /** Its `value` is what somebody has typed himself. */
  input: InputProps;
  derivation: Derivation;
  /** What it is made to say; undefined: that is not known here, only when the document is made. */
  said: Said | undefined;
  /** What a field is called. */
  labelOf: (field: string) => string;
  onChange: (value: string) => void;
}

/** A field that is made of others: it says what they make it say, until somebody types over it, and again once that is cleared. */
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
