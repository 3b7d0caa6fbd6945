import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { formatList } from '@/shared/i18n/format';
import { sourceFields } from '@/shared/templates/derivations';

import type { FieldSettings } from '../fieldSettings';

import classes from './ListInput.module.css';

/** Longer hints are shortened to two lines. In the narrowest columns this is about the length of two lines. */
const MAX_HINT_CHARACTERS = 48;

/** The heading of a column, with its hint, or with the way its values are derived. */
export function ColumnHeading({
  settings,
  columns,
}: {
  settings: FieldSettings;
  columns: readonly FieldSettings[];
}) {
  const { t, i18n } = useTranslation();
  const { field, label, hint, derivation } = settings;
  const labelOf = (name: string) => columns.find((one) => one.field === name)?.label || name;
  return (
    <>
      <bdi>{label || field}</bdi>
      {hint && <ColumnHint column={label || field} hint={hint} />}
      {derivation && (
        <span className={classes['hint']} lang={i18n.language}>
          {t(`derived.${derivation.kind}`, {
            fields: formatList(sourceFields(derivation).map(labelOf), i18n.language),
          })}
        </span>
      )}
    </>
  );
}

/** The hint of a column. A long one is shortened until its button is pressed, because it is above every row. */
function ColumnHint({ column, hint }: { column: string; hint: string }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isLong = hint.length > MAX_HINT_CHARACTERS;
  return (
    <>
      {/* Screen readers get the whole hint. */}
      <bdi className={classes['hint']} data-hint data-short={(isLong && !isOpen) || undefined}>
        {hint}
      </bdi>
      {isLong && (
        <button
          type="button"
          className={classes['more']}
          lang={i18n.language}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'list.less' : 'list.more')}
          <VisuallyHidden>: {column}</VisuallyHidden>
        </button>
      )}
    </>
  );
}
