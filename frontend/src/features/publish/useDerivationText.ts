import { useTranslation } from 'react-i18next';

import { formatList } from '@/shared/i18n/format';
import { derivationSources } from '@/shared/templates/derivationSources';
import type { FieldDerivation } from '@/shared/fields/fieldSettings';

/** Returns a function that describes a derivation by its kind and sources. */
export function useDerivationText() {
  const { t, i18n } = useTranslation();
  return (derivation: FieldDerivation, labelOf: (field: string) => string = (field) => field): string => {
    const rate =
      derivation.kind === 'percentage' && 'number' in derivation.rate ? [`${derivation.rate.number} %`] : [];
    const sources = [...rate, ...derivationSources(derivation).map(labelOf)];
    return `${t(`derivation.kinds.${derivation.kind}`)}: ${formatList(sources, i18n.language)}`;
  };
}
