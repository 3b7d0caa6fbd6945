import { Switch, VisuallyHidden } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { FieldDescription, hasDescription } from './FieldInput';
import type { FieldSettings } from './fieldSettings';

interface YesNoInputProps {
  settings: FieldSettings;
  checked: boolean;
  error?: ReactNode;
  /** The labels of the fields that appear when the switch is turned on, and of those that disappear, as texts. */
  shows?: string;
  hides?: string;
  /** The path and the accessible name of a cell in a list. A cell shows no label. */
  cell?: { path: string; name: string } | undefined;
  onFocus: () => void;
  onChange: (checked: boolean) => void;
}

/** The switch of a yes/no field. Its section of the document is printed while it is on. */
export function YesNoInput(props: YesNoInputProps) {
  const { settings, checked, error, shows = '', hides = '', cell, onFocus, onChange } = props;
  const { t, i18n } = useTranslation();
  const effectId = useId();
  const { field, label } = settings;
  const hasEffect = Boolean(shows || hides);
  const ownProps = cell
    ? { 'data-input': cell.path, 'aria-label': cell.name }
    : {
        'data-input': field,
        label: <bdi>{label || field}</bdi>,
        description: hasDescription(settings) ? <FieldDescription settings={settings} /> : undefined,
      };
  return (
    <>
      <Switch
        {...ownProps}
        checked={checked}
        error={error}
        aria-describedby={hasEffect ? effectId : undefined}
        onFocus={onFocus}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {/* Other users see the fields appear. */}
      {hasEffect && (
        <VisuallyHidden id={effectId} lang={i18n.language}>
          {shows && t('yesNo.shows', { fields: shows })} {hides && t('yesNo.hides', { fields: hides })}
        </VisuallyHidden>
      )}
    </>
  );
}
