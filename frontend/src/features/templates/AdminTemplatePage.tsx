import { Alert, Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';

import type { Template } from '@/api/types';
import { useTemplate, useListedTemplate } from '@/shared/templates/useTemplate';
import { FieldOverview } from '@/shared/fields/FieldOverview';
import { showPdf } from '@/shared/files';
import { LivePages } from '@/shared/pages/LivePages';
import { TEMPLATES_PATH, editTemplatePath, testFormPath } from '@/shared/paths';
import { removeKey } from '@/shared/storage';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { EditIcon, EyeIcon, PlayIcon, TrashIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { TemplateAuditLog } from './TemplateAuditLog';
import { useTemplateStatus } from './useTemplates';
import { TemplateVersions } from './TemplateVersions';
import classes from './AdminTemplatePage.module.css';

/** A template for admins: its pages, fields and actions. */
export function AdminTemplatePage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, refetch } = useTemplate(id);
  const listed = useListedTemplate(id);
  const template = data?.template ?? listed;
  usePageTitle(template?.title);

  if (error && !data)
    return (
      <DocumentFailure
        error={error}
        onRetry={() => void refetch()}
        link={{ to: TEMPLATES_PATH, label: t('templates.toAll') }}
      />
    );
  return (
    <>
      <DocumentHeader
        document={template}
        back={{ to: TEMPLATES_PATH, label: t('templates.title') }}
        facts={template && <span>{t('templates.version', { version: template.templateVersion })}</span>}
        actions={template && <TemplateActions template={template} pdf={data?.pdf} />}
      />
      {template?.status === 'inactive' && (
        <Alert variant="light" color="gray" mb="lg" title={t('templates.inactiveMark')}>
          {t('templates.inactiveHint')}
        </Alert>
      )}
      <div className={classes['columns']}>
        <LivePages
          showsReviewSwitches
          docx={data?.docx}
          pdf={data?.pdf}
          title={template?.title ?? ''}
          lang={template?.language.code}
          country={template?.country?._id}
          picture={template?.thumbnail}
        />
        <div className={classes['side']}>
          {data && (
            <>
              <CollapsibleSection title={t('templates.versions')}>
                <TemplateVersions template={data.template} />
              </CollapsibleSection>
              <CollapsibleSection title={t('templates.history')}>
                <TemplateAuditLog template={data.template} />
              </CollapsibleSection>
            </>
          )}
          {template && (
            <section className={classes['sheet']} aria-labelledby="fields-title">
              <h2 id="fields-title">{t('fields', { count: template.fields.length })}</h2>
              <FieldOverview
                settings={data?.settings ?? template.fields.map((field) => ({ field, kind: 'text' }))}
                lang={template.language.code}
                withNames
              />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

/** A section that is used rarely; its content is loaded when it is opened. */
function CollapsibleSection({ title, children }: { title: string; children: ReactNode }) {
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

interface TemplateActionsProps {
  template: Template;
  pdf: Uint8Array<ArrayBuffer> | undefined;
}

function TemplateActions({ template, pdf }: TemplateActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();

  const { activate, deactivate } = useTemplateStatus(template, {
    onActivated: () => undefined,
    onDeactivated: () => {
      removeKey('currentDocument');
      void navigate(TEMPLATES_PATH);
      undoToast(t('templates.documentDeleted'), t('undo'), () => activate.mutate());
    },
  });

  return (
    <>
      <LinkButton to={editTemplatePath(template._id)} variant="default" leftSection={<EditIcon />}>
        {t('templates.edit')}
      </LinkButton>
      <LinkButton to={testFormPath(template._id)} variant="default" leftSection={<PlayIcon />}>
        {t('templates.tryOut')}
      </LinkButton>
      <Button
        variant="default"
        leftSection={<EyeIcon />}
        disabled={!pdf}
        onClick={() => pdf && showPdf(pdf, `${template.title}.pdf`)}
      >
        {t('templates.viewPdf')}
      </Button>
      {template.status === 'active' ? (
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
