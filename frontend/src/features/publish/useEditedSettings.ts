import { useMemo } from 'react';

import type { FieldSettings } from '@/shared/fields/fieldSettings';

import {
  detectedSettings,
  effectiveSettings,
  extractOverrides,
  renameOverrides,
  type OverridesByField,
} from './fieldSettings';

interface EditedSettingsInput {
  /** The settings of the published template. */
  stored: readonly FieldSettings[];
  /** The settings that were detected in a new file; undefined if there is none. */
  checked: FieldSettings[] | undefined;
  /** The new names of fields by their old ones. */
  renamed: Record<string, string>;
  /** The overrides of the admin; null if they are unchanged. */
  overrides: OverridesByField | null;
}

/**
 * Returns the settings of a template that is edited: those that were detected, the overrides before and after the edit,
 * and the settings that the form will show. They stay the same objects until one of the inputs changes.
 */
export function useEditedSettings({ stored, checked, renamed, overrides }: EditedSettingsInput) {
  const detected = useMemo(() => checked ?? detectedSettings(stored), [checked, stored]);
  const storedOverrides = useMemo(
    () => renameOverrides(extractOverrides(stored), checked ? renamed : {}),
    [stored, checked, renamed],
  );
  const shownOverrides = overrides ?? storedOverrides;
  const fields = useMemo(
    () => detected.map((field) => effectiveSettings(field, shownOverrides)),
    [detected, shownOverrides],
  );
  return { detected, storedOverrides, shownOverrides, fields };
}
