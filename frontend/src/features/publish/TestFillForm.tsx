import { Alert, Button } from '@mantine/core';
import { useId, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '@/shared/fields/fieldSettings';
import { FieldGroups } from '@/shared/fields/FieldGroups';
import { useStoreOf } from '@/shared/fields/formStore';
import { focusInput } from '@/shared/fields/focusInput';
import type { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { isEmptyValue, type FieldValues } from '@/shared/fields/values';
import { useErrorText } from '@/shared/i18n/useErrorText';

import { exampleValues } from './exampleValues';
import classes from './PublishPage.module.css';

interface TestFillFormProps extends LinkedInputProps {
  /** The settings of each field in order, as the form will show them. */
  settings: readonly FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  values: FieldValues;
  onChange: (values: FieldValues) => void;
  /** Requests the filled pages from the server; null if this browser lays them out itself. */
  serverFill: { busy: boolean; error: Error | null; start: () => void } | null;
}

type LinkedInputProps = ReturnType<typeof useLinkedFields>['inputProps'];

/** The form of an unpublished template. Its values appear on the pages and are not stored. */
export function TestFillForm(props: TestFillFormProps) {
  const { settings, lang, country, values, onChange, serverFill, inputs } = props;
  const { derivedValues, sections, onFieldFocus } = props;
  const storedValues = useStoreOf(values);
  const { t } = useTranslation();
  const errorText = useErrorText();
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  useImperativeHandle(inputs, () => ({
    focus: (path) => focusInput(section.current, path),
  }));
  return (
    <section
      ref={section}
      className={classes['settings']}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // Enter in a one-line field must not publish the template.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <h2 id={titleId}>
        {t('publish.trialTitle')} · {t('fields', { count: settings.length })}
      </h2>
      <p className={classes['hint']}>{t('publish.trialHint')}</p>
      <div className={classes['buttons']}>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange({ ...values, ...exampleValues(settings, lang, country) })}
        >
          {t('publish.exampleValues')}
        </Button>
      </div>
      <div className={classes['trial']}>
        <FieldGroups
          settings={settings}
          values={storedValues}
          lang={lang}
          country={country}
          derivedValues={derivedValues}
          sections={sections}
          onFieldFocus={onFieldFocus}
          onChange={(field, value) => onChange({ ...values, [field]: value })}
        />
      </div>
      <div className={classes['buttons']}>
        {serverFill && (
          <Button variant="default" size="xs" loading={serverFill.busy} onClick={serverFill.start}>
            {t('publish.fillTrial')}
          </Button>
        )}
        {Object.values(values).some((value) => !isEmptyValue(value)) && (
          <Button variant="subtle" size="xs" onClick={() => onChange({})}>
            {t('publish.clearTrial')}
          </Button>
        )}
      </div>
      {serverFill?.error && (
        <Alert color="red" variant="light" role="alert">
          {errorText(serverFill.error)}
        </Alert>
      )}
    </section>
  );
}
