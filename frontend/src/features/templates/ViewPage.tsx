import { Alert, Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';

import type { Document } from '@/api/types';
import { editTemplatePath, TEMPLATES, trialFormPath } from '@/shared/documents/paths';
import { useDocument, useKnownDocument } from '@/shared/documents/useDocument';
import { showPdf } from '@/shared/files';
import { LivePages } from '@/shared/pages/LivePages';
import { remove } from '@/shared/storage';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { EditIcon, EyeIcon, PlayIcon, TrashIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { History } from './History';
import { useTurning } from './useTemplates';
import { Versions } from './Versions';
import classes from './ViewPage.module.css';

/** A template for admins: its pages, fields and actions. */
export function ViewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument(id);
  const known = useKnownDocument(id);
  const document = data?.document ?? known;
  usePageTitle(document?.title);

  if (error && !data)
    return (
      <DocumentFailure
        error={error}
        onRetry={() => void refetch()}
        elsewhere={{ to: TEMPLATES, label: t('templates.toAll') }}
      />
    );
  return (
    <>
      <DocumentHeader
        document={document}
        back={{ to: TEMPLATES, label: t('templates.title') }}
        facts={document && <span>{t('templates.version', { version: document.templateVersion })}</span>}
        actions={document && <Actions document={document} pdf={data?.pdf} />}
      />
      {document?.status === 'inactive' && (
        <Alert variant="light" color="gray" mb="lg" title={t('templates.inactiveMark')}>
          {t('templates.inactiveHint')}
        </Alert>
      )}
      <div className={classes['columns']}>
        <LivePages
          reviews
          docx={data?.docx}
          pdf={data?.pdf}
          title={document?.title ?? ''}
          lang={document?.language.code}
          picture={document?.thumbnail}
        />
        <div className={classes['side']}>
          {data && (
            <>
              <Drawer title={t('templates.versions')}>
                <Versions document={data.document} />
              </Drawer>
              <Drawer title={t('templates.history')}>
                <History document={data.document} />
              </Drawer>
            </>
          )}
          {document && (
            <section className={classes['sheet']} aria-labelledby="fields-title">
              <h2 id="fields-title">{t('fields', { count: document.fields.length })}</h2>
              <ol lang={document.language.code}>
                {document.fields.map((field) => (
                  <li key={field}>
                    <bdi>{field}</bdi>
                  </li>
                ))}
              </ol>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

/** A section that is used rarely; its content is loaded when it is opened. */
function Drawer({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes['sheet']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {open && children}
    </details>
  );
}

interface ActionsProps {
  document: Document;
  pdf: Uint8Array<ArrayBuffer> | undefined;
}

function Actions({ document, pdf }: ActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();

  const { activate, deactivate } = useTurning(document, {
    back: () => undefined,
    out: () => {
      remove('currentDocument');
      void navigate(TEMPLATES);
      undoToast(t('templates.documentDeleted'), t('undo'), () => activate.mutate());
    },
  });

  return (
    <>
      <LinkButton to={editTemplatePath(document._id)} variant="default" leftSection={<EditIcon />}>
        {t('templates.edit')}
      </LinkButton>
      <LinkButton to={trialFormPath(document._id)} variant="default" leftSection={<PlayIcon />}>
        {t('templates.tryOut')}
      </LinkButton>
      <Button
        variant="default"
        leftSection={<EyeIcon />}
        disabled={!pdf}
        onClick={() => pdf && showPdf(pdf, `${document.title}.pdf`)}
      >
        {t('templates.viewPdf')}
      </Button>
      {document.status === 'active' ? (
        <Button
          variant="default"
          c="var(--harm)"
          leftSection={<TrashIcon />}
          loading={deactivate.isPending}
          onClick={() => deactivate.mutate()}
        >
          {t('templates.delete')}
        </Button>
      ) : (
        <Button loading={activate.isPending} onClick={() => activate.mutate()}>
          {t('templates.activate')}
        </Button>
      )}
    </>
  );
}
