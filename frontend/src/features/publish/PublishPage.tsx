import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { TEMPLATES } from '@/shared/documents/paths';
import { useDocument, type OpenDocument } from '@/shared/documents/useDocument';
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
  const [fresh] = useState(() => crypto.randomUUID());
  const edited = search.get('edit');
  if (edited) return <EditTemplate key={`${owner} ${edited}`} id={edited} />;
  const name = search.get('draft') ?? fresh;
  return (
    <TemplateForm key={`${owner} ${name}`} work={{ kind: 'new', name }} onTakeTheirs={() => undefined} />
  );
}

function EditTemplate({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useDocument(id);
  const { isPending } = useCategories();
  /** The template when the edit began. Later responses do not change it. */
  const [begun, setBegun] = useState<OpenDocument | null>(null);

  if (error && !begun)
    return (
      <DocumentFailure
        error={error}
        onRetry={() => void refetch()}
        elsewhere={{ to: TEMPLATES, label: t('templates.toAll') }}
      />
    );
  // The form shows the categories by name, so they must be loaded first.
  if (!begun && data && !isFetching && !isPending) setBegun(data);
  if (!begun) return null;
  return (
    <TemplateForm key={begun.document.revision} work={{ kind: 'edit', begun }} onTakeTheirs={setBegun} />
  );
}
