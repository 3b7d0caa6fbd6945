import { Button } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings, SuggestedDerivation } from '@/shared/fields/fieldSettings';

import { FieldList, type EditorContext } from './FieldEditor';
import { effectiveSettings, type OverridesByField } from './fieldSettings';
import classes from './FieldsEditor.module.css';
import pageClasses from './PublishPage.module.css';
import { applySuggestions, openSuggestions } from './suggestions';

interface FieldsEditorProps extends Omit<EditorContext, 'headingListId'> {
  /** The detected settings of each field, in the template's order. */
  detected: FieldSettings[];
  overrides: OverridesByField;
  suggestions: SuggestedDerivation[];
  onChange: (overrides: OverridesByField) => void;
}

/** The editor of field settings: the detected ones, and the admin's overrides. */
export function FieldsEditor({ detected, overrides, suggestions, onChange, ...context }: FieldsEditorProps) {
  const { t } = useTranslation();
  const fields = detected.map((field) => effectiveSettings(field, overrides));
  const headings = new Set(fields.map(({ group }) => group).filter(Boolean));
  const open = openSuggestions(suggestions, fields);
  const listId = useId();
  return (
    <section className={pageClasses['settings']} aria-labelledby={`${listId}-title`}>
      <h2 id={`${listId}-title`}>{t('fieldEditor.title')}</h2>
      <p className={pageClasses['hint']}>{t('fieldEditor.lead')}</p>
      <datalist id={listId}>
        {[...headings].map((heading) => (
          <option key={heading} value={heading} />
        ))}
      </datalist>
      {open.length > 0 && (
        <div className={classes['suggestions']}>
          <p>{t('fieldEditor.suggestions', { count: open.length })}</p>
          <Button
            size="compact-sm"
            variant="default"
            disabled={context.disabled}
            onClick={() => onChange(applySuggestions(overrides, open))}
          >
            {t('fieldEditor.applySuggestions')}
          </Button>
        </div>
      )}
      <FieldList
        {...{ detected, overrides, fields, onChange }}
        context={{ ...context, headingListId: listId }}
        suggestions={open}
        list={null}
      />
    </section>
  );
}
