import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import type { User } from '@/api/types';
import { SAVED_ANSWERS_PATH } from '@/shared/paths';
import { DownloadIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';

import classes from './AccountPage.module.css';
import { DeletionDialog } from './DeletionDialog';
import { downloadExport } from './calls';

/** Actions on the account as a whole: export of all data, and deletion. */
export function DataAndDeletion({ user }: { user: User }) {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
  const exportData = useMutation({
    mutationFn: downloadExport,
    onSuccess: () => toast.success(t('ownData.exported')),
    meta: { failureText: (msg) => t('ownData.exportFailed', { msg }) },
  });

  return (
    <div className={classes['sheet']}>
      <section aria-labelledby="answers-title">
        <h2 id="answers-title">{t('answers.title')}</h2>
        <Text size="sm">{t('answers.lead')}</Text>
        <div className={classes['action']}>
          <LinkButton to={SAVED_ANSWERS_PATH} variant="default">
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
            loading={exportData.isPending}
            onClick={() => exportData.mutate()}
          >
            {t('ownData.exportButton')}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {exportData.isPending && t('ownData.exporting')}
          </Text>
        </div>
      </section>
      <section aria-labelledby="deletion-title">
        <h2 id="deletion-title">{t('ownData.delete')}</h2>
        <Text size="sm">{t('ownData.deleteText')}</Text>
        <div className={classes['action']}>
          <Button variant="default" c="var(--harm)" onClick={() => setDeleting(true)}>
            {t('ownData.deleteButton')}
          </Button>
        </div>
      </section>
      {isDeleting && <DeletionDialog user={user} onClose={() => setDeleting(false)} />}
    </div>
  );
}
