import { Text } from '@mantine/core';

import type { FieldSettings } from './fieldSettings';
import classes from './fields.module.css';
import { groupFields } from './groups';

interface FieldOverviewProps {
  settings: readonly FieldSettings[];
  lang: string;
  /** Also shows the name that a field has in the file, if its label differs. */
  withNames?: boolean;
}

/** The labels of a template's fields under their headings, as its form shows them. */
export function FieldOverview({ settings, lang, withNames = false }: FieldOverviewProps) {
  return (
    <div lang={lang} className={classes['overview']}>
      {groupFields(settings).map(({ group, firstField, settings: ofGroup }) => (
        <div key={firstField}>
          {group && (
            <h3>
              <bdi>{group}</bdi>
            </h3>
          )}
          <ul>
            {ofGroup.map(({ field, label }) => (
              <li key={field}>
                <bdi>{label || field}</bdi>
                {withNames && label && label !== field && (
                  <Text size="sm" c="dimmed">
                    <bdi>{field}</bdi>
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
