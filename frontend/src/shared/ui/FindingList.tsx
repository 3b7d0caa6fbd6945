import { useTranslation } from 'react-i18next';

import type { Finding } from '@/api/types';
import { findingPlace, findingText } from '@/shared/i18n/findings';

import classes from './FindingList.module.css';

/** The problems of a Word file with their places and the text around them. Errors come first. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const ordered = [...findings].sort(
    (one, other) => Number(one.severity !== 'error') - Number(other.severity !== 'error'),
  );
  return (
    <ul className={classes['findings']}>
      {ordered.map((finding, index) => {
        const place = findingPlace(finding, t);
        return (
          <li key={index} className={classes['finding']} data-severity={finding.severity}>
            <p className={classes['what']}>
              <span className={classes['severity']}>{t(`findings.${finding.severity}`)}</span>
              {findingText(finding, t)}
            </p>
            {finding.context && (
              <p className={classes['context']} dir="auto">
                {finding.context}
              </p>
            )}
            {place && <p className={classes['place']}>{place}</p>}
          </li>
        );
      })}
    </ul>
  );
}
