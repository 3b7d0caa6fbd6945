import { Button } from '@mantine/core';
import { useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '@/api/types';
import { isBlank } from '@/shared/drafts';
import { FieldGroups } from '@/shared/fields/FieldGroups';
import type { useLinkedFields } from '@/shared/fields/useLinkedFields';

import classes from './PublishPage.module.css';

interface TestFillFormProps extends LinkedInputProps {
  /** The settings of each field in order, as the form will show them. */
  settings: readonly FieldSettings[];
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  /** Requests the filled pages from the server; null if this browser lays them out itself. */
  serverFill: { busy: boolean; start: () => void } | null;
}

type LinkedInputProps = ReturnType<typeof useLinkedFields>['inputProps'];

/** The form of an unpublished template. Its values appear on the pages and are not stored. */
export function TestFillForm(props: TestFillFormProps) {
  const { settings, lang, country, values, onChange, serverFill, inputs, derivedValues, onFieldFocus } =
    props;
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  useImperativeHandle(inputs, () => ({
    focus: (field) => {
      const all = [...(section.current?.querySelectorAll<HTMLElement>('[data-input]') ?? [])];
      all.find((input) => input.dataset['input'] === field)?.focus();
    },
  }));
  return (
    <section
      ref={section}
      className={classes['settings']}
      aria-labelledby="trial-title"
      onKeyDown={(event) => {
        // Enter in a one-line field must not publish the template.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <h2 id="trial-title">
        {t('publish.trialTitle')} · {t('fields', { count: settings.length })}
      </h2>
      <p className={classes['hint']}>{t('publish.trialHint')}</p>
      <div className={classes['trial']}>
        <FieldGroups
          settings={settings}
          values={values}
          lang={lang}
          country={country}
          derivedValues={derivedValues}
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
        {Object.values(values).some((value) => !isBlank(value)) && (
          <Button variant="subtle" size="xs" onClick={() => onChange({})}>
            {t('publish.clearTrial')}
          </Button>
        )}
      </div>
    </section>
  );
}
