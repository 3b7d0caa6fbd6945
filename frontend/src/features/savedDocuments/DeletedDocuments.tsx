import { Button, Skeleton, Table, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import type { ListedDocument } from '@/api/types';
import { formatDate, formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { PAGE_SIZE, usePages } from '@/shared/paging';
import { undeleteDocument } from '@/shared/savedDocuments/calls';
import { refreshSavedDocuments, savedDocumentsQuery } from '@/shared/savedDocuments/useSavedDocument';
import { HistoryIcon } from '@/shared/ui/icons';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';

import classes from './DeletedDocuments.module.css';

interface DeletedDocumentsProps {
  /** The search text. */
  title: string;
  /** The page number, from 1. */
  page: number;
  onPage: (page: number) => void;
  /** Called when a row disappears because its document was restored. */
  onRestored: () => void;
}

/** The documents that were deleted in the last seven days, the last deleted first. */
export function DeletedDocuments({ title, page, onPage, onRestored }: DeletedDocumentsProps) {
  const { t } = useTranslation();
  const query = useQuery({
    ...savedDocumentsQuery({ limit: PAGE_SIZE, page, title: title.trim(), deleted: true }),
    placeholderData: keepPreviousData,
  });
  const { pages } = usePages(query, page, onPage);
  return (
    <ListState
      query={query}
      failed={t('saved.failed')}
      skeleton={<Skeleton height={160} radius="md" />}
      isEmpty={({ total }) => total === 0}
      empty={<EmptyList title={t('documentPages.noneDeleted')} hint={t('documentPages.deletedHint')} />}
    >
      {({ savedDocuments }) => (
        <>
          <Table
            aria-label={t('documentPages.recentlyDeleted')}
            verticalSpacing="xs"
            className={classes['table'] ?? ''}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('documentPages.document')}</Table.Th>
                <Table.Th>{t('documentPages.deletedAt')}</Table.Th>
                <Table.Th>{t('documentPages.restorableUntil')}</Table.Th>
                <Table.Th>{t('documentPages.actions')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {savedDocuments.map((document) => (
                <DeletedRow key={document._id} document={document} onRestored={onRestored} />
              ))}
            </Table.Tbody>
          </Table>
          <Pagination page={page} pages={pages} onChange={onPage} />
        </>
      )}
    </ListState>
  );
}

interface DeletedRowProps {
  document: ListedDocument;
  onRestored: () => void;
}

function DeletedRow({ document, onRestored }: DeletedRowProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: () => undeleteDocument(document._id),
    onSuccess: () => {
      refreshSavedDocuments(queryClient, document._id);
      toast.success(t('saved.documentRestored'));
      onRestored();
    },
    onError: () => refreshSavedDocuments(queryClient),
    meta: { failureText: (msg) => t('saved.restoreFailed', { msg }) },
  });
  const { title, template, deletedAt, undeleteUntil } = document;
  return (
    <Table.Tr>
      <Table.Th scope="row" lang={template.language.code}>
        <bdi>{title}</bdi>
      </Table.Th>
      <Table.Td>
        <Text span size="sm">
          {deletedAt && formatDateTime(deletedAt, locale)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text span size="sm">
          {undeleteUntil && formatDate(undeleteUntil, locale)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Button
          variant="default"
          size="xs"
          leftSection={<HistoryIcon size={16} />}
          loading={restore.isPending}
          aria-label={t('documentPages.restoreOf', { title })}
          onClick={() => restore.mutate()}
        >
          {t('documentPages.restore')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
