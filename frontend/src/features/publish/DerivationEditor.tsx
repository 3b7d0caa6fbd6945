import { MultiSelect, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Currency, Derivation, FieldSettings } from '@/api/types';
import { sourceFields } from '@/shared/templates/derivations';

import { CURRENCIES, currencyOfCountry } from './currencies';

const DERIVATION_KINDS = [
  'amount_in_words',
  'date_in_words',
  'sum',
] as const satisfies readonly Derivation['kind'][];

interface DerivationEditorProps {
  field: string;
  derivation: Derivation | null;
  /** All fields of the template, as the form shows them. */
  fields: FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string | undefined;
  country: string | null;
  disabled: boolean;
  onChange: (derivation: Derivation | undefined) => void;
}

/** The editor of a derivation: an amount or a date in words, or a sum. */
export function DerivationEditor(props: DerivationEditorProps) {
  const { field, derivation, fields, lang, country, disabled, onChange } = props;
  const { t, i18n } = useTranslation();
  const others = fields.filter((other) => other.field !== field);
  if (others.length === 0) return null;
  const data = others.map((other) => ({ value: other.field, label: other.label || other.field }));
  const commonProps = { size: 'xs', disabled } as const;

  /** Sets the kind, with the most likely fields as its sources. */
  const handleKind = (kind: string | null) => {
    if (!kind) return onChange(undefined);
    const fieldsOfKind = (kind: FieldSettings['kind']) => others.filter((other) => other.kind === kind);
    const firstOfKind = (kind: FieldSettings['kind']) => (fieldsOfKind(kind)[0] ?? others[0])?.field ?? '';
    const currency = currencyOfCountry(country);
    switch (kind) {
      case 'amount_in_words':
        return onChange({ kind, of: firstOfKind('amount'), currency });
      case 'date_in_words':
        return onChange({ kind, of: firstOfKind('date') });
      case 'sum': {
        const amounts = fieldsOfKind('amount').map((other) => other.field);
        return onChange({ kind, of: amounts.length > 0 ? amounts : [firstOfKind('number')], currency });
      }
    }
  };
  const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });

  return (
    <>
      <Select
        {...commonProps}
        label={t('derivation.title')}
        description={derivation ? t('derivation.hint') : undefined}
        clearable
        placeholder={t('derivation.none')}
        data={DERIVATION_KINDS.map((value) => ({ value, label: t(`derivation.kinds.${value}`) }))}
        value={derivation?.kind ?? null}
        onChange={handleKind}
      />
      {derivation?.kind === 'sum' && (
        <MultiSelect
          {...commonProps}
          label={t('derivation.ofAmounts')}
          data={data}
          value={derivation.of}
          hidePickedOptions
          searchable
          // A sum needs at least one field.
          onChange={(of) => of.length > 0 && onChange({ ...derivation, of })}
        />
      )}
      {derivation && derivation.kind !== 'sum' && (
        <Select
          {...commonProps}
          label={t(derivation.kind === 'date_in_words' ? 'derivation.ofDate' : 'derivation.ofAmount')}
          data={data}
          allowDeselect={false}
          value={sourceFields(derivation)[0] ?? null}
          onChange={(of) => of && onChange({ ...derivation, of })}
        />
      )}
      {derivation && derivation.kind !== 'date_in_words' && (
        <Select
          {...commonProps}
          label={t('derivation.currency')}
          placeholder={t('derivation.noCurrency')}
          clearable
          searchable
          data={CURRENCIES.map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))}
          value={derivation.currency ?? null}
          onChange={(code) => onChange({ ...derivation, currency: code as Currency | null })}
        />
      )}
      {derivation && derivation.kind !== 'sum' && lang?.startsWith('ar') && (
        <Switch
          {...commonProps}
          label={t('derivation.oblique')}
          description={t('derivation.obliqueHint')}
          checked={derivation.case === 'oblique'}
          onChange={(event) =>
            onChange({ ...derivation, case: event.currentTarget.checked ? 'oblique' : 'nominative' })
          }
        />
      )}
    </>
  );
}
