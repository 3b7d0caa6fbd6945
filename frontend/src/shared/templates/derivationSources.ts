import type { FieldDerivation } from '@/shared/fields/fieldSettings';

/** Returns the names of the fields, lists and columns that a value is derived from. */
export function derivationSources(derivation: FieldDerivation): string[] {
  switch (derivation.kind) {
    case 'sum':
    case 'product':
      return derivation.of;
    case 'amount_in_words':
    case 'date_in_words':
      return [derivation.of];
    case 'percentage':
      return 'field' in derivation.rate ? [derivation.rate.field, derivation.of] : [derivation.of];
    case 'count':
      return [derivation.list];
    case 'list_sum':
    case 'minimum':
    case 'maximum':
      return [derivation.list, derivation.column];
  }
}

/** Returns a derivation with new names of fields and lists. Columns keep their names. */
export function renameSources(
  derivation: FieldDerivation,
  newName: (field: string) => string,
): FieldDerivation {
  switch (derivation.kind) {
    case 'sum':
    case 'product':
      return { ...derivation, of: derivation.of.map(newName) };
    case 'amount_in_words':
    case 'date_in_words':
      return { ...derivation, of: newName(derivation.of) };
    case 'percentage': {
      const { rate } = derivation;
      return {
        ...derivation,
        of: newName(derivation.of),
        rate: 'field' in rate ? { field: newName(rate.field) } : rate,
      };
    }
    case 'count':
    case 'list_sum':
    case 'minimum':
    case 'maximum':
      return { ...derivation, list: newName(derivation.list) };
  }
}
