import { Button, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { responseBody, api } from '@/api/client';
import { ApiError } from '@/api/error';
import type { Category } from '@/api/types';
import { INTERFACE_LANGUAGES, NATIVE_NAMES, type InterfaceLanguage } from '@/shared/i18n/language';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { categoryLabel, useCategories } from '@/shared/lookups';
import { TEMPLATES_PATH } from '@/shared/paths';
import { Failure } from '@/shared/ui/Failure';
import { BackIcon, EditIcon } from '@/shared/ui/icons';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CategoryAuditLog } from './CategoryAuditLog';
import classes from './CategoriesPage.module.css';

/** The category of templates without any other. It cannot be merged into another one. */
const DEFAULT_CATEGORY = 'general';

/** The categories with their names in each language, and the actions to rename and merge them. */
export function CategoriesPage() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { categories, error, refetch } = useCategories();
  const [open, setOpen] = useState<{ what: 'rename' | 'merge'; category: Category } | null>(null);
  usePageTitle(t('templates.categories'));
  const [historyOpen, setHistoryOpen] = useState(false);
  const separate = useSeparateCategory();
  const close = () => setOpen(null);
  const label = (name: string) => categoryLabel(name, categories, i18n.language);

  return (
    <>
      <header className={classes['header']}>
        <Link to={TEMPLATES_PATH} className={classes['back']}>
          <BackIcon size={16} />
          {t('templates.title')}
        </Link>
        <h1>{t('templates.categories')}</h1>
        <p>{t('templates.categoriesLead')}</p>
      </header>
      {error && !categories && (
        <Failure
          title={t('templates.categoriesFailed')}
          hint={errorText(error)}
          onRetry={() => void refetch()}
        />
      )}
      <ul className={classes['list']} aria-label={t('templates.categories')}>
        {(categories ?? []).map((category) => (
          <li key={category.name} className={classes['category']}>
            <div className={classes['words']}>
              <h2>
                <bdi>{label(category.name)}</bdi>
              </h2>
              <p className={classes['names']}>
                {INTERFACE_LANGUAGES.map((code) => (
                  <span key={code} lang={code}>
                    <bdi>{category.names[code] ?? '—'}</bdi>
                  </span>
                ))}
              </p>
              <p className={classes['names']}>
                <span>{t('templates.all', { count: category.count })}</span>
                {category.merged.length > 0 && <span>{t('templates.merged')}</span>}
                {category.merged.map((name) => (
                  <span key={name} className={classes['merged']}>
                    <bdi>{name}</bdi>
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      aria-label={t('templates.separateOf', { category: name })}
                      disabled={separate.isPending}
                      onClick={() => separate.mutate(name)}
                    >
                      {t('templates.separate')}
                    </Button>
                  </span>
                ))}
              </p>
            </div>
            <div className={classes['actions']}>
              <Button
                variant="default"
                size="xs"
                leftSection={<EditIcon size={16} />}
                aria-label={t('templates.renameOf', { category: label(category.name) })}
                onClick={() => setOpen({ what: 'rename', category })}
              >
                {t('templates.rename')}
              </Button>
              {category.name !== DEFAULT_CATEGORY && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('templates.mergeOf', { category: label(category.name) })}
                  onClick={() => setOpen({ what: 'merge', category })}
                >
                  {t('templates.merge')}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {categories && (
        <details
          className={classes['history']}
          open={historyOpen}
          onToggle={(event) => setHistoryOpen(event.currentTarget.open)}
        >
          <summary>
            <h2>{t('templates.history')}</h2>
          </summary>
          {historyOpen && <CategoryAuditLog />}
        </details>
      )}
      {open?.what === 'rename' && <RenameDialog category={open.category} onClose={close} />}
      {open?.what === 'merge' && (
        <MergeDialog
          category={open.category}
          title={label(open.category.name)}
          others={(categories ?? [])
            .filter(({ name }) => name !== open.category.name)
            .map(({ name }) => ({ value: name, label: label(name) }))}
          onClose={close}
        />
      )}
    </>
  );
}

/** Returns a function that updates the cached categories from a response. */
function useShowCategories() {
  const queryClient = useQueryClient();
  return (response: { categories: Category[] }) => {
    queryClient.setQueryData(['categories'], response);
    void queryClient.invalidateQueries({ queryKey: ['categories', 'history'] });
    void queryClient.invalidateQueries({ queryKey: ['documents'] });
  };
}

/** Calls the server, shows the new state, and reports success. */
function useCategoryChange(
  call: () => Promise<{ categories: Category[] }>,
  onDone: () => void,
  onClose: () => void,
) {
  const show = useShowCategories();
  return useMutation({
    mutationFn: call,
    onSuccess: (response) => {
      show(response);
      onDone();
      onClose();
    },
  });
}

/** Undoes the merge of a category. */
function useSeparateCategory() {
  const { t } = useTranslation();
  const show = useShowCategories();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: (name: string) => responseBody(api.POST('/api/v1/categories/separate', { body: { name } })),
    onSuccess: (response) => {
      show(response);
      toast.success(t('templates.separated'));
    },
    onError: (error) => {
      // SessionEndedDialog reports an ended session.
      if (!(error instanceof ApiError && error.status === 401))
        toast.error(t('templates.separateFailed', { msg: errorText(error) }));
    },
  });
}

interface CategoryDialogProps {
  title: string;
  error: unknown;
  isBusy: boolean;
  submitLabel: string;
  disabled?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

function CategoryDialog({
  title,
  error,
  isBusy,
  submitLabel,
  disabled,
  onSubmit,
  onClose,
  children,
}: CategoryDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {children}
          {error !== null && !(error instanceof ApiError && error.status === 401) && (
            <Text size="sm" c="var(--harm)" role="alert">
              {errorText(error)}
            </Text>
          )}
          <div className={classes['end']}>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={disabled ?? false}>
              {submitLabel}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}

function RenameDialog({ category, onClose }: { category: Category; onClose: () => void }) {
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

interface MergeDialogProps {
  category: Category;
  title: string;
  others: { value: string; label: string }[];
  onClose: () => void;
}

function MergeDialog({ category, title, others, onClose }: MergeDialogProps) {
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
            category: `\u2068${title}\u2069`,
            into: `\u2068${others.find(({ value }) => value === into)?.label ?? into}\u2069`,
          })}{' '}
          {t('templates.all', { count: category.count })}
        </Text>
      )}
    </CategoryDialog>
  );
}
