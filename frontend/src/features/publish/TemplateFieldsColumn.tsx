import { Stack } from '@mantine/core';

import type { Template } from '@/api/types';
import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import type { useLinkedFields } from '@/shared/fields/useLinkedFields';
import type { FieldValues } from '@/shared/fields/values';

import { FieldRenames } from './FieldRenames';
import { FieldsEditor } from './FieldsEditor';
import { overridesToSend, type OverridesByField } from './fieldSettings';
import classes from './PublishPage.module.css';
import type { TemplateDraft } from './templateDraft';
import { TemplateSettings } from './TemplateSettings';
import { TestFillForm } from './TestFillForm';
import type { CheckResult, useTemplateCheck } from './useTemplateCheck';

interface TemplateFieldsColumnProps {
  draft: TemplateDraft;
  onDraftChange: (changes: Partial<TemplateDraft>) => void;
  /** The file that was checked; null for the edit of a template that keeps its file. */
  file: File | null;
  checked: CheckResult | undefined;
  hasErrors: boolean;
  /** The template that is edited; null for a new one. */
  edited: Template | null;
  /** The new name of each renamed field, by its old name. */
  renamed: Record<string, string>;
  onRename: (renamed: Record<string, string>) => void;
  detected: FieldSettings[];
  overrides: OverridesByField;
  onOverridesChange: (overrides: OverridesByField) => void;
  /** The settings of the fields as the form shows them. */
  fields: FieldSettings[];
  inputProps: ReturnType<typeof useLinkedFields>['inputProps'];
  previewValues: FieldValues;
  onPreviewChange: (values: FieldValues) => void;
  /** The check that fills the template on the server; null if the browser lays out the pages. */
  serverFill: ReturnType<typeof useTemplateCheck> | null;
  disabled: boolean;
}

/** The settings of a template and of its fields, and the form for a test fill. */
export function TemplateFieldsColumn({
  draft,
  onDraftChange,
  file,
  checked,
  hasErrors,
  edited,
  renamed,
  onRename,
  detected,
  overrides,
  onOverridesChange,
  fields,
  inputProps,
  previewValues,
  onPreviewChange,
  serverFill,
  disabled,
}: TemplateFieldsColumnProps) {
  const { title, language, country } = draft;
  const lang = language ?? undefined;
  const removed = edited && checked ? edited.fields.filter((field) => !checked.fields.includes(field)) : [];
  const added = edited && checked ? checked.fields.filter((field) => !edited.fields.includes(field)) : [];
  return (
    <div className={classes['fields']}>
      <Stack gap="lg">
        <TemplateSettings
          values={draft}
          change={onDraftChange}
          disabled={disabled}
          detectedLanguage={checked?.language ?? null}
        />
        {!hasErrors && removed.length > 0 && added.length > 0 && (
          <FieldRenames removed={removed} added={added} lang={lang} renamed={renamed} onChange={onRename} />
        )}
        {!hasErrors && detected.length > 0 && (
          <FieldsEditor
            detected={detected}
            overrides={overrides}
            suggestions={checked?.suggestions ?? []}
            lang={lang}
            country={country}
            disabled={disabled}
            onChange={onOverridesChange}
          />
        )}
        {checked && !hasErrors && checked.fields.length > 0 && file && (
          <TestFillForm
            {...inputProps}
            settings={fields}
            // The server uses the same default if no language is chosen.
            lang={language ?? 'en'}
            country={country}
            values={previewValues}
            onChange={(values) => {
              onPreviewChange(values);
              if (Object.keys(values).length === 0) serverFill?.reset();
            }}
            serverFill={
              serverFill && {
                busy: serverFill.isPending,
                error: serverFill.error,
                start: () =>
                  serverFill.mutate({
                    file,
                    title,
                    testFill: {
                      fields: fields.map(structuredField),
                      values: previewValues,
                      overrides: overridesToSend(detected, overrides),
                    },
                  }),
              }
            }
          />
        )}
      </Stack>
    </div>
  );
}
