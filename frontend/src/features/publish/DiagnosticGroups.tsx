import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Diagnostic } from '@/api/types';
import { diagnosticLocation, diagnosticText } from '@/shared/i18n/diagnostics';

import classes from './DiagnosticGroups.module.css';
import { groupDiagnostics, splitContext, type DiagnosticGroup } from './groupDiagnostics';

/** The number of occurrences up to which the list is open from the start. */
const MAX_OPEN_OCCURRENCES = 3;

/** All problems of a file. Each is listed once, with all of its occurrences. */
export function DiagnosticGroups({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const { t } = useTranslation();
  const groups = groupDiagnostics(diagnostics);
  return (
    <ul className={classes['groups']} aria-label={t('publish.findings')}>
      {groups.map((group) => (
        <DiagnosticGroupItem key={group.code} group={group} />
      ))}
    </ul>
  );
}

function DiagnosticGroupItem({ group: { isError, occurrences } }: { group: DiagnosticGroup }) {
  const { t } = useTranslation();
  const [first] = occurrences;
  if (!first) return null;
  const located = occurrences.filter(({ context, part }) => context || part);
  const severity = isError ? 'error' : 'warning';
  const sentence = (
    <>
      <span className={classes['severity']}>{t(`findings.${severity}`)}</span> {diagnosticText(first, t)}
    </>
  );
  return (
    <li className={classes['group']} data-severity={severity}>
      {located.length === 0 ? (
        <p>{sentence}</p>
      ) : (
        <details open={isError || located.length <= MAX_OPEN_OCCURRENCES}>
          <summary>
            {sentence}
            {located.length > 1 && (
              <Badge color="gray" ms={8}>
                {t('publish.places', { count: located.length })}
              </Badge>
            )}
          </summary>
          <ul className={classes['places']}>
            {located.map((occurrence, index) => (
              <Occurrence key={index} diagnostic={occurrence} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Occurrence({ diagnostic }: { diagnostic: Diagnostic }) {
  const { t } = useTranslation();
  const location = diagnosticLocation(diagnostic, t);
  return (
    <li>
      {diagnostic.context && (
        <p className={classes['context']} dir="auto">
          {splitContext(diagnostic).map(({ text, isFaulty }, index) =>
            isFaulty ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </p>
      )}
      {diagnostic.mark?.instead && (
        <p>
          {t('findings.writeInstead')} <code dir="ltr">{diagnostic.mark.instead}</code>
        </p>
      )}
      {location && <p className={classes['place']}>{location}</p>}
    </li>
  );
}
