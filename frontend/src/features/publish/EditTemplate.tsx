import { useState } from 'react';

import { useCategories } from '@/shared/lookups';
import { useTemplate, type OpenTemplate } from '@/shared/templates/useTemplate';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';

import { useAreaPaths, useAreaTexts } from './templateArea';
import { TemplateForm } from './TemplateForm';

/** The edit of a template. */
export function EditTemplate({ id }: { id: string }) {
  const { toList } = useAreaTexts();
  const { list } = useAreaPaths();
  const { data, error, isFetching, refetch } = useTemplate(id);
  const { isPending } = useCategories();
  /** The template when the edit began. Later responses do not change it. */
  const [templateAtStart, setTemplateAtStart] = useState<OpenTemplate | null>(null);

  if (error && !templateAtStart)
    return (
      <DocumentFailure error={error} onRetry={() => void refetch()} link={{ to: list, label: toList }} />
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
