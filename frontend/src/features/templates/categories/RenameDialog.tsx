import { TextInput } from '@mantine/core';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Category } from '@/api/types';
import { INTERFACE_LANGUAGES, NATIVE_NAMES, type InterfaceLanguage } from '@/shared/i18n/language';

import { CategoryDialog } from './CategoryDialog';
import { useCategoryChange } from './useCategoryChanges';

/** Renames a category in each language. */
export function RenameDialog({ category, onClose }: { category: Category; onClose: () => void }) {
  const { t } = useTranslation();
  const [names, setNames] = useState<Record<InterfaceLanguage, string>>({
    en: category.names['en'] ?? '',
    fr: category.names['fr'] ?? '',
    ar: category.names['ar'] ?? '',
  });
  const change = useCategoryChange(
    () => responseBody(api.PATCH('/api/v1/categories', { body: { name: category.name, names } })),
    () => toast.success(t('templates.renamed')),
    onClose,
  );
  return (
    <CategoryDialog
      title={t('templates.renameTitle')}
      error={change.error}
      isBusy={change.isPending}
      submitLabel={t('templates.saveNames')}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {INTERFACE_LANGUAGES.map((code, index) => (
        <TextInput
          key={code}
          label={<span lang={code}>{NATIVE_NAMES[code]}</span>}
          autoComplete="off"
          maxLength={60}
          data-autofocus={index === 0 || undefined}
          value={names[code]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setNames((now) => ({ ...now, [code]: value }));
          }}
        />
      ))}
    </CategoryDialog>
  );
}
