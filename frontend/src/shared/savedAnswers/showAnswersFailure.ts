import type { TFunction } from 'i18next';
import toast from 'react-hot-toast';

import { hasSessionEnded } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';

/** Reports that answers could not be changed. SessionEndedDialog reports an ended session. */
export function showAnswersFailure(error: unknown, t: TFunction): void {
  if (hasSessionEnded(error)) return;
  toast.error(t('answers.failed', { msg: errorText(error, t) }));
}
