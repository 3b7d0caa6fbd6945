import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router';

import classes from './PendingBar.module.css';

/** A bar at the top of the window while a page is loading. It appears after a moment. */
export function PendingBar() {
  const { t } = useTranslation();
  return <div className={classes['bar']} role="progressbar" aria-label={t('loading')} />;
}

/** The bar of a navigation. Until it ends, the previous page stays. */
export function PendingNavigation() {
  return useNavigation().state === 'idle' ? null : <PendingBar />;
}
