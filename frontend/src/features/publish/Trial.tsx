import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { valueOf } from '@/shared/drafts';

import classes from './PublishPage.module.css';

interface TrialProps {
  fields: string[];
  /** BCP 47 of the template. */
  lang: string | undefined;
  busy: boolean;
  /** The pages are those of a trial. */
  filled: boolean;
  onFill: (values: Record<string, string>) => void;
  onEmpty: () => void;
}

/** The fields of a template that is not published yet, in their order; filled in, its pages show how it will look. */
export function Trial({ fields, lang, busy, filled, onFill, onEmpty }: TrialProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Record<string, string>>({});
  return (
    <section className={classes['settings']} aria-labelledby="trial-title">
      <h2 id="trial-title">{t('fields', { count: fields.length })}</h2>
      <p className={classes['hint']}>{t('publish.trialHint')}</p>
      <div className={classes['trial']} lang={lang}>
        {fields.map((field) => (
          <TextInput
            key={field}
            size="xs"
            label={<bdi>{field}</bdi>}
            autoComplete="off"
            value={valueOf(values, field)}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((now) => ({ ...now, [field]: value }));
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // It fills the trial; it does not publish.
              event.preventDefault();
              onFill(values);
            }}
          />
        ))}
      </div>
      <div className={classes['buttons']}>
        <Button variant="default" size="xs" loading={busy} onClick={() => onFill(values)}>
          {t('publish.fillTrial')}
        </Button>
        {filled && (
          <Button variant="subtle" size="xs" onClick={onEmpty}>
            {t('publish.showEmpty')}
          </Button>
        )}
      </div>
    </section>
  );
}
