import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import type { User } from '@/api/types';
import { MY_ANSWERS } from '@/shared/answers/paths';
import { errorText } from '@/shared/i18n/errors';
import { DownloadIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';

import classes from './AccountPage.module.css';
import { DeletionDialog } from './DeletionDialog';
import { saveExport } from './ownData';
import { sessionHasEnded } from './save';

/** Actions on the account as a whole: export of all data, and deletion. */
export function OwnData({ user }: { user: User }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const exported = useMutation({
    mutationFn: saveExport,
    onSuccess: () => toast.success(t('ownData.exported')),
    onError: (error) => {
      if (!sessionHasEnded(error)) toast.error(t('ownData.exportFailed', { msg: errorText(error, t) }));
    },
  });

  return (
    <div className={classes['sheet']}>
      <section aria-labelledby="answers-title">
        <h2 id="answers-title">{t('answers.title')}</h2>
        <Text size="sm">{t('answers.lead')}</Text>
        <div className={classes['action']}>
          <LinkButton to={MY_ANSWERS} variant="default">
            {t('answers.show')}
          </LinkButton>
        </div>
      </section>
      <section aria-labelledby="export-title">
        <h2 id="export-title">{t('ownData.export')}</h2>
        <Text size="sm">{t('ownData.exportText')}</Text>
        <div className={classes['action']}>
          <Button
            variant="default"
            leftSection={<DownloadIcon />}
            loading={exported.isPending}
            onClick={() => exported.mutate()}
          >
            {t('ownData.exportButton')}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {exported.isPending && t('ownData.exporting')}
          </Text>
        </div>
      </section>
      <section aria-labelledby="deletion-title">
        <h2 id="deletion-title">{t('ownData.delete')}</h2>
        <Text size="sm">{t('ownData.deleteText')}</Text>
        <div className={classes['action']}>
          <Button variant="default" c="var(--harm)" onClick={() => setAsking(true)}>
            {t('ownData.deleteButton')}
          </Button>
        </div>
      </section>
      {asking && <DeletionDialog user={user} onClose={() => setAsking(false)} />}
    </div>
  );
}
