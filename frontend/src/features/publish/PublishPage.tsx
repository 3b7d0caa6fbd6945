import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { TEMPLATES_PATH } from '@/shared/templates/paths';
import { useTemplate, type OpenTemplate } from '@/shared/templates/useTemplate';
import { useCategories } from '@/shared/lookups';
import { useOwner } from '@/shared/personal/owner';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';

import { TemplateForm } from './TemplateForm';

/**
 * The page for publishing a template, or for editing one (specification §2). The URL names the edited template or the
 * unfinished new one.
 */
export function PublishPage() {
  const [search] = useSearchParams();
  const owner = useOwner();
  const [newName] = useState(() => crypto.randomUUID());
  const edited = search.get('edit');
  if (edited) return <EditTemplate key={`${owner} ${edited}`} id={edited} />;
  const name = search.get('draft') ?? newName;
  return <TemplateForm key={`${owner} ${name}`} task={{ kind: 'new', name }} onUseNewest={() => undefined} />;
}

function EditTemplate({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useTemplate(id);
  const { isPending } = useCategories();
  /** The template when the edit began. Later responses do not change it. */
  const [templateAtStart, setTemplateAtStart] = useState<OpenTemplate | null>(null);

  if (error && !templateAtStart)
    return (
      <DocumentFailure
        error={error}
        onRetry={() => void refetch()}
        link={{ to: TEMPLATES_PATH, label: t('templates.toAll') }}
      />
    );
  // The form shows the categories by name, so they must be loaded first.
  if (!templateAtStart && data && !isFetching && !isPending) setTemplateAtStart(data);
  if (!templateAtStart) return null;
  return (
    <TemplateForm
      key={templateAtStart.template.revision}
      task={{ kind: 'edit', templateAtStart }}
      onUseNewest={setTemplateAtStart}
    />
  );
}
