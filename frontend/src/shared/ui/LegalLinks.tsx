import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import classes from './LegalLinks.module.css';

/** Links to the terms of use and the privacy notice, at the bottom of every screen. */
export function LegalLinks({ help = false }: { /** True to include the help center. */ help?: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes['links']}>
      {help && (
        <li>
          <Link to="/user-home/help-center">{t('helpCenter')}</Link>
        </li>
      )}
      <li>
        <Link to="/terms">{t('legal.terms')}</Link>
      </li>
      <li>
        <Link to="/privacy">{t('legal.privacy')}</Link>
      </li>
    </ul>
  );
}
