import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import classes from './LegalLinks.module.css';

/** The terms of use and the privacy notice; they stand at the foot of every screen. */
export function LegalLinks() {
  const { t } = useTranslation();
  return (
    <ul className={classes['links']}>
      <li>
        <Link to="/terms">{t('legal.terms')}</Link>
      </li>
      <li>
        <Link to="/privacy">{t('legal.privacy')}</Link>
      </li>
    </ul>
  );
}
