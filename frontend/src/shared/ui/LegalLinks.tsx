import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { HELP_PATH, PRIVACY_PATH, TERMS_PATH } from '@/shared/paths';

import classes from './LegalLinks.module.css';

/** Links to the terms of use and the privacy notice, at the bottom of every screen. */
export function LegalLinks({ help = false }: { /** True to include the help center. */ help?: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes['links']}>
      {help && (
        <li>
          <Link to={HELP_PATH}>{t('helpCenter')}</Link>
        </li>
      )}
      <li>
        <Link to={TERMS_PATH}>{t('legal.terms')}</Link>
      </li>
      <li>
        <Link to={PRIVACY_PATH}>{t('legal.privacy')}</Link>
      </li>
    </ul>
  );
}
