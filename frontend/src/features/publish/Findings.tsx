import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Finding } from '@/api/types';
import { findingPlace, findingText } from '@/shared/i18n/findings';

import classes from './Findings.module.css';
import { groupsOf, piecesOf, type Group } from './groups';

/** The number of places that are shown without opening the list. */
const FEW = 3;

/** All problems of a file, each listed once with all of its places. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const groups = groupsOf(findings);
  return (
    <ul className={classes['groups']} aria-label={t('publish.findings')}>
      {groups.map((group) => (
        <FindingGroup key={group.code} group={group} />
      ))}
    </ul>
  );
}

function FindingGroup({ group: { error, places } }: { group: Group }) {
  const { t } = useTranslation();
  const [first] = places;
  if (!first) return null;
  const told = places.filter(({ context, part }) => context || part);
  const severity = error ? 'error' : 'warning';
  const sentence = (
    <>
      <span className={classes['severity']}>{t(`findings.${severity}`)}</span> {findingText(first, t)}
    </>
  );
  return (
    <li className={classes['group']} data-severity={severity}>
      {told.length === 0 ? (
        <p>{sentence}</p>
      ) : (
        <details open={error || told.length <= FEW}>
          <summary>
            {sentence}
            {told.length > 1 && (
              <Badge color="gray" ms={8}>
                {t('publish.places', { count: told.length })}
              </Badge>
            )}
          </summary>
          <ul className={classes['places']}>
            {told.map((finding, index) => (
              <Place key={index} finding={finding} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Place({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const place = findingPlace(finding, t);
  return (
    <li>
      {finding.context && (
        <p className={classes['context']} dir="auto">
          {piecesOf(finding).map(({ text, wrong }, index) =>
            wrong ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </p>
      )}
      {place && <p className={classes['place']}>{place}</p>}
    </li>
  );
}
