import { MultiSelect, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Currency } from '@/api/types';
import { isTextKind, type FieldDerivation, type FieldSettings } from '@/shared/fields/fieldSettings';

import { CURRENCIES, currencyOfCountry } from './currencies';
import { availableKinds, newDerivation } from './newDerivation';
import { RateInput } from './RateInput';

interface DerivationEditorProps {
  field: string;
  derivation: FieldDerivation | null;
  /** All fields of the template, or all columns of the list, as the form shows them. */
  fields: FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string | undefined;
  country: string | null;
  disabled: boolean;
  onChange: (derivation: FieldDerivation | undefined) => void;
}

/** The editor of a derivation: words, or a calculation with fields of this level or with a column of a list. */
export function DerivationEditor(props: DerivationEditorProps) {
  const { field, derivation, fields, lang, country, disabled, onChange } = props;
  const { t, i18n } = useTranslation();
  const others = fields.filter((other) => other.field !== field);
  const kinds = availableKinds(others);
  if (kinds.length === 0) return null;
  const toData = (some: readonly FieldSettings[]) =>
    some.map((other) => ({ value: other.field, label: other.label || other.field }));
  const data = toData(others.filter(({ kind }) => isTextKind(kind)));
  const commonProps = { size: 'xs', disabled } as const;
  const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
  const shownKinds = derivation && !kinds.includes(derivation.kind) ? [derivation.kind, ...kinds] : kinds;

  return (
    <>
      <Select
        {...commonProps}
        label={t('derivation.title')}
        description={derivation ? t('derivation.hint') : undefined}
        clearable
        placeholder={t('derivation.none')}
        data={shownKinds.map((value) => ({ value, label: t(`derivation.kinds.${value}`) }))}
        value={derivation?.kind ?? null}
        onChange={(value) => {
          const kind = kinds.find((one) => one === value);
          if (kind !== derivation?.kind)
            onChange(kind && newDerivation(kind, others, currencyOfCountry(country)));
        }}
      />
      {derivation && (derivation.kind === 'sum' || derivation.kind === 'product') && (
        <MultiSelect
          {...commonProps}
          label={t(derivation.kind === 'sum' ? 'derivation.ofAmounts' : 'derivation.ofFactors')}
          data={data}
          value={derivation.of}
          hidePickedOptions
          searchable
          // A sum needs at least one field, a product two.
          onChange={(of) =>
            of.length >= (derivation.kind === 'sum' ? 1 : 2) && onChange({ ...derivation, of })
          }
        />
      )}
      {(derivation?.kind === 'amount_in_words' ||
        derivation?.kind === 'date_in_words' ||
        derivation?.kind === 'percentage') && (
        <Select
          {...commonProps}
          label={t(derivation.kind === 'date_in_words' ? 'derivation.ofDate' : 'derivation.ofAmount')}
          data={data}
          allowDeselect={false}
          value={derivation.of}
          onChange={(of) => of && onChange({ ...derivation, of })}
        />
      )}
      {derivation?.kind === 'percentage' && (
        <RateInput
          rate={derivation.rate}
          data={data.filter(({ value }) => value !== derivation.of)}
          disabled={disabled}
          onChange={(rate) => onChange({ ...derivation, rate })}
        />
      )}
      {derivation && 'list' in derivation && (
        <ListSource {...props} derivation={derivation} lists={others.filter(({ kind }) => kind === 'list')} />
      )}
      {derivation && derivation.kind !== 'date_in_words' && derivation.kind !== 'count' && (
        <Select
          {...commonProps}
          label={t('derivation.currency')}
          placeholder={t(
            derivation.kind === 'amount_in_words' ? 'derivation.noCurrency' : 'derivation.noRounding',
          )}
          clearable
          searchable
          data={CURRENCIES.map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))}
          value={derivation.currency ?? null}
          onChange={(code) => onChange({ ...derivation, currency: code as Currency | null })}
        />
      )}
      {(derivation?.kind === 'amount_in_words' || derivation?.kind === 'date_in_words') &&
        lang?.startsWith('ar') && (
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

interface ListSourceProps extends Pick<DerivationEditorProps, 'disabled' | 'onChange'> {
  derivation: Extract<FieldDerivation, { list: string }>;
  lists: FieldSettings[];
}

/** The list, and its column, that a value is derived from. */
function ListSource({ derivation, lists, disabled, onChange }: ListSourceProps) {
  const { t } = useTranslation();
  const toData = (some: readonly FieldSettings[]) =>
    some.map((other) => ({ value: other.field, label: other.label || other.field }));
  const columnsOf = (list: string) =>
    (lists.find(({ field }) => field === list)?.columns ?? []).filter(({ kind }) => isTextKind(kind));
  const choose = (list: string | null) => {
    if (!list || list === derivation.list) return;
    if (derivation.kind === 'count') return onChange({ ...derivation, list });
    const chosen = lists.filter(({ field }) => field === list);
    onChange(newDerivation(derivation.kind, chosen, derivation.currency ?? null));
  };
  return (
    <>
      <Select
        size="xs"
        disabled={disabled}
        label={t('derivation.list')}
        data={toData(
          derivation.kind === 'count' ? lists : lists.filter(({ field }) => columnsOf(field).length > 0),
        )}
        allowDeselect={false}
        value={derivation.list}
        onChange={choose}
      />
      {derivation.kind !== 'count' && (
        <Select
          size="xs"
          disabled={disabled}
          label={t('derivation.column')}
          data={toData(columnsOf(derivation.list))}
          allowDeselect={false}
          value={derivation.column}
          onChange={(column) => column && onChange({ ...derivation, column })}
        />
      )}
    </>
  );
}
