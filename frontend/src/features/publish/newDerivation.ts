import type { Currency } from '@/api/types';
import { isTextKind, type FieldDerivation, type FieldSettings } from '@/shared/fields/fieldSettings';

type DerivationKind = FieldDerivation['kind'];

/** The percentage of a new derivation: the usual VAT of Morocco and France. */
const FIRST_RATE = '20';

function textFields(fields: readonly FieldSettings[]): FieldSettings[] {
  return fields.filter(({ kind }) => isTextKind(kind));
}

function listsOf(fields: readonly FieldSettings[]): FieldSettings[] {
  return fields.filter(({ kind }) => kind === 'list');
}

/** Returns the kinds of derivations that are possible with these fields as sources. */
export function availableKinds(fields: readonly FieldSettings[]): DerivationKind[] {
  const textCount = textFields(fields).length;
  const lists = listsOf(fields);
  const hasColumns = lists.some(({ columns = [] }) => textFields(columns).length > 0);
  return [
    ...(textCount > 0 ? (['amount_in_words', 'date_in_words', 'sum', 'percentage'] as const) : []),
    ...(textCount > 1 ? (['product'] as const) : []),
    ...(hasColumns ? (['list_sum', 'minimum', 'maximum'] as const) : []),
    ...(lists.length > 0 ? (['count'] as const) : []),
  ];
}

/** Returns a derivation with the most likely of these fields as its sources. */
export function newDerivation(
  kind: DerivationKind,
  fields: readonly FieldSettings[],
  currency: Currency | null,
): FieldDerivation {
  const texts = textFields(fields);
  const ofKinds = (...kinds: FieldSettings['kind'][]) => texts.filter((one) => kinds.includes(one.kind));
  const firstOfKind = (one: FieldSettings['kind']) => (ofKinds(one)[0] ?? texts[0])?.field ?? '';
  switch (kind) {
    case 'amount_in_words':
      return { kind, of: firstOfKind('amount'), currency };
    case 'date_in_words':
      return { kind, of: firstOfKind('date') };
    case 'sum': {
      const amounts = ofKinds('amount').map(({ field }) => field);
      return { kind, of: amounts.length > 0 ? amounts : [firstOfKind('number')], currency };
    }
    case 'product': {
      // A quantity and a price, or else the first two fields.
      const likely = [...ofKinds('number').slice(0, 1), ...ofKinds('amount'), ...ofKinds('number').slice(1)];
      const others = texts.filter((one) => !likely.includes(one));
      return { kind, of: [...likely, ...others].slice(0, 2).map(({ field }) => field), currency };
    }
    case 'percentage':
      return { kind, of: firstOfKind('amount'), rate: { number: FIRST_RATE }, currency };
    case 'count':
      return { kind, list: listsOf(fields)[0]?.field ?? '' };
    case 'list_sum':
    case 'minimum':
    case 'maximum': {
      const candidates = listsOf(fields).flatMap(({ field, columns = [] }) =>
        textFields(columns).map((column) => ({ list: field, column })),
      );
      // The last amount of a row is usually its total.
      const amounts = candidates.filter(({ column }) => column.kind === 'amount');
      const numbers = candidates.filter(({ column }) => column.kind === 'number');
      const likely = amounts.at(-1) ?? numbers.at(-1) ?? candidates[0];
      return { kind, list: likely?.list ?? '', column: likely?.column.field ?? '', currency };
    }
  }
}
