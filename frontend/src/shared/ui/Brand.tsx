import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { HOME_PATH } from '@/shared/paths';

import classes from './Brand.module.css';

/** The logo with the name. It links to the start of the user area. */
export function Brand() {
  const { t } = useTranslation();
  return (
    <Link to={HOME_PATH} className={classes['brand']}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" className={classes['tile']} />
        <path d="M9 6h9.5L24 11.5V26H9z" fill="#FBFAF7" />
        <path d="M18.5 6 24 11.5h-5.5z" fill="#9ED0CE" />
        <path d="M12 16h9M12 19.5h9M12 23h5" stroke="#0B6E6E" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
      <span>{t('brand')}</span>
    </Link>
  );
}
