import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import classes from './PublishPage.module.css';
import { useAreaTexts } from './templateArea';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Loads the sample contract in the language of the interface. */
async function loadSample(language: string, name: string): Promise<File> {
  const response = await fetch(`/samples/${language}.docx`);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new File([await response.blob()], `${name}.docx`, { type: DOCX });
}

/** Shows in three steps how a template comes to be, with a contract to try it. */
export function GettingStarted({ onChoose }: { onChoose: (sample: File) => void }) {
  const { t, i18n } = useTranslation();
  const { lastStep } = useAreaTexts();
  const sample = useMutation({
    mutationFn: () => loadSample(i18n.language, t('publish.sampleName')),
    onSuccess: onChoose,
  });
  return (
    <section className={classes['settings']} aria-labelledby="getting-started">
      <h2 id="getting-started">{t('publish.howTo')}</h2>
      <ol className={classes['steps']}>
        <li>{t('publish.stepFile')}</li>
        <li>{t('publish.stepFields')}</li>
        <li>{lastStep}</li>
      </ol>
      <div>
        <Button variant="default" size="xs" loading={sample.isPending} onClick={() => sample.mutate()}>
          {t('publish.trySample')}
        </Button>
      </div>
      {sample.isError && <p role="alert">{t('publish.sampleFailed')}</p>}
    </section>
  );
}
