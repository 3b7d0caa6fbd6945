import type { FieldSettings } from './fieldSettings';
import classes from './fields.module.css';
import { groupFields } from './groups';

/** The labels of a template's fields under their headings, as its form shows them. */
export function FieldOverview({ settings, lang }: { settings: readonly FieldSettings[]; lang: string }) {
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
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
