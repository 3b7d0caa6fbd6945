import { useTranslation } from 'react-i18next';

import { errorText } from './errors';

export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return (error) => errorText(error, t);
}
