import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Category } from '@/api/types';
import { undoToast } from '@/shared/ui/Toasts';

import { CategoryDialog } from './CategoryDialog';
import { useCategoryChange, useSeparateCategory } from './useCategoryChanges';

interface MergeDialogProps {
  category: Category;
  title: string;
  others: { value: string; label: string }[];
  onClose: () => void;
}

/** Merges a category into another one. */
export function MergeDialog({ category, title, others, onClose }: MergeDialogProps) {
  const { t } = useTranslation();
  const [into, setInto] = useState<string | null>(null);
  const separate = useSeparateCategory();
  const change = useCategoryChange(
    () =>
      responseBody(api.POST('/api/v1/categories/merge', { body: { name: category.name, into: into ?? '' } })),
    () => undoToast(t('templates.mergedDone'), t('undo'), () => separate.mutate(category.name)),
    onClose,
  );
  return (
    <CategoryDialog
      title={t('templates.mergeTitle', { category: title })}
      error={change.error}
      isBusy={change.isPending}
      submitLabel={t('templates.merge')}
      disabled={into === null}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('templates.mergeText')}</Text>
      <Select label={t('templates.mergeInto')} data={others} value={into} onChange={setInto} data-autofocus />
      {into !== null && (
        <Text size="sm" role="status">
          {t('templates.mergeEffect', {
            count: category.count,
            category: `\u2068${title}\u2069`,
            into: `\u2068${others.find(({ value }) => value === into)?.label ?? into}\u2069`,
          })}
        </Text>
      )}
    </CategoryDialog>
  );
}
