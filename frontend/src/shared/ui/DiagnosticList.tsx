import { useTranslation } from 'react-i18next';

import type { Diagnostic } from '@/api/types';
import { diagnosticLocation, diagnosticText } from '@/shared/i18n/diagnostics';

import classes from './DiagnosticList.module.css';

/** The problems of a Word file with their places and the text around them. Errors come first. */
export function DiagnosticList({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const { t } = useTranslation();
  const sorted = [...diagnostics].sort(
    (one, other) => Number(one.severity !== 'error') - Number(other.severity !== 'error'),
  );
  return (
    <ul className={classes['findings']}>
      {sorted.map((diagnostic, index) => {
        const location = diagnosticLocation(diagnostic, t);
        return (
          <li key={index} className={classes['finding']} data-severity={diagnostic.severity}>
            <p className={classes['what']}>
              <span className={classes['severity']}>{t(`findings.${diagnostic.severity}`)}</span>
              {diagnosticText(diagnostic, t)}
            </p>
            {diagnostic.context && (
              <p className={classes['context']} dir="auto">
                {diagnostic.context}
              </p>
            )}
            {location && <p className={classes['place']}>{location}</p>}
          </li>
        );
      })}
    </ul>
  );
}
