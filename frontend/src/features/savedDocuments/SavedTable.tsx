import { Group, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { SavedDocument } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { savedDocumentPath } from '@/shared/paths';

import { SavedDocumentButtons } from './SavedCard';

interface SavedTableProps {
  documents: readonly SavedDocument[];
  label: string;
  onDeleted: () => void;
}

/** The saved documents as a table without pictures, for people with many of them. */
export function SavedTable({ documents, label, onDeleted }: SavedTableProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  return (
    <Table aria-label={label} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('documentPages.document')}</Table.Th>
          <Table.Th>{t('documentPages.savedAt')}</Table.Th>
          <Table.Th>{t('documentPages.pageCount')}</Table.Th>
          <Table.Th>{t('documentPages.actions')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {documents.map((document) => (
          <Table.Tr key={document._id}>
            <Table.Th scope="row" lang={document.template.language.code}>
              <Link to={savedDocumentPath(document._id)}>
                <bdi>{document.title}</bdi>
              </Link>
            </Table.Th>
            <Table.Td>{formatDateTime(document.updatedAt, locale)}</Table.Td>
            <Table.Td>{document.pages}</Table.Td>
            <Table.Td>
              <Group gap={8} wrap="nowrap">
                <SavedDocumentButtons document={document} onDeleted={onDeleted} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
