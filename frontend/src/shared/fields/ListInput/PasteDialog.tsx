import {
  Button,
  Checkbox,
  FileButton,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Table,
  Text,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '../fieldSettings';
import type { Row } from '../values';

import classes from './ListInput.module.css';
import { readCsvFile } from './readCsvFile';
import {
  matchByPosition,
  matchColumns,
  pasteColumns,
  rowsFromTable,
  tableFromClipboard,
  tableFromCsv,
  type Table as Cells,
} from './table';

/** A table that was pasted or read from a file, and the column of the list in which it was pasted. */
export interface PastedTable {
  table: Cells;
  startColumn: number;
}

interface PasteDialogProps {
  columns: readonly FieldSettings[];
  /** Null as long as there is none. */
  pasted: PastedTable | null;
  listLabel: string;
  /** The template's language (BCP 47). */
  lang: string;
  rowCount: number;
  maxRows: number;
  /** Called with a table that was pasted into the dialog or read from a file. */
  onTable: (table: Cells) => void;
  /** Adds the rows at the end, or replaces all rows. */
  onAdd: (rows: Row[], replaces: boolean) => void;
  onClose: () => void;
}

/** The dialog that adds rows from a spreadsheet: it takes a table, and shows which column goes where. */
export function PasteDialog(props: PasteDialogProps) {
  const { pasted, listLabel, lang, onTable, onClose } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={
        <>
          {t('list.paste.title')} <bdi lang={lang}>{listLabel}</bdi>
        </>
      }
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {pasted && pasted.table.length > 0 ? (
        <TablePreview {...props} pasted={pasted} />
      ) : (
        <TableSource onTable={onTable} />
      )}
    </Modal>
  );
}

/** The first step: pasting a table, or choosing a file. */
function TableSource({ onTable }: Pick<PasteDialogProps, 'onTable'>) {
  const { t, i18n } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const readFile = async (file: File | null) => {
    if (!file) return;
    const read = await readCsvFile(file, i18n.language);
    if ('problem' in read) setProblem(t(`list.paste.${read.problem}`));
    else onTable(read.table);
  };
  const readText = (text: string) => {
    const table = text.includes('\t') ? tableFromClipboard(text) : tableFromCsv(text);
    if (table.length > 0) onTable(table);
  };
  return (
    <Stack>
      <Textarea
        data-autofocus
        label={t('list.paste.here')}
        description={t('list.paste.hereHint')}
        rows={4}
        value=""
        onChange={() => undefined}
        onPaste={(event) => {
          event.preventDefault();
          readText(event.clipboardData.getData('text/plain'));
        }}
      />
      <Group>
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void readFile(file)}>
          {(buttonProps) => (
            <Button {...buttonProps} variant="default">
              {t('list.paste.chooseFile')}
            </Button>
          )}
        </FileButton>
      </Group>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

const PREVIEW_ROWS = 5;

/** The second step: the matching of columns, with the first rows. */
function TablePreview(props: PasteDialogProps & { pasted: PastedTable }) {
  const { columns, pasted, lang, rowCount, maxRows, onAdd, onClose } = props;
  const { table, startColumn } = pasted;
  const { t, i18n } = useTranslation();
  const [match, setMatch] = useState(() => matchColumns(table, columns, startColumn));
  const [replaces, setReplaces] = useState(false);
  const dataRows = match.hasHeadings ? table.slice(1) : table;
  const free = Math.max(maxRows - (replaces ? 0 : rowCount), 0);
  const count = Math.min(dataRows.length, free);
  const isUsable = match.targets.some((target) => target !== null) && count > 0;
  const options = [
    { value: '', label: t('list.paste.unused') },
    ...pasteColumns(columns).map(({ field, label }) => ({ value: `=${field}`, label: label || field })),
  ];
  const chooseTarget = (at: number, target: string | null) =>
    setMatch({
      ...match,
      // A column of the list takes only one column of the table.
      targets: match.targets.map((other, index) => (index === at ? target : other === target ? null : other)),
    });
  const changeHeadings = (hasHeadings: boolean) => {
    const matched = matchColumns(table, columns, startColumn);
    setMatch(
      hasHeadings === matched.hasHeadings
        ? matched
        : hasHeadings
          ? { ...match, hasHeadings }
          : { hasHeadings, targets: matchByPosition(table[0]?.length ?? 0, columns, startColumn) },
    );
  };
  return (
    <Stack>
      <Text size="sm">{t('list.paste.check')}</Text>
      <div className={classes['preview']} tabIndex={0} role="region" aria-label={t('list.paste.preview')}>
        <Table aria-label={t('list.paste.preview')}>
          <Table.Thead>
            <Table.Tr>
              {match.targets.map((target, at) => (
                <Table.Th key={at} scope="col">
                  <NativeSelect
                    size="xs"
                    miw={128}
                    lang={lang}
                    aria-label={t('list.paste.column', {
                      number: at + 1,
                      example: (match.hasHeadings ? table[0]?.[at] : dataRows[0]?.[at]) ?? '',
                    })}
                    data={options}
                    value={target === null ? '' : `=${target}`}
                    onChange={(event) => chooseTarget(at, event.currentTarget.value.slice(1) || null)}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
            {match.hasHeadings && (
              <Table.Tr>
                {table[0]?.map((heading, at) => (
                  <Table.Th key={at} scope="col" data-unused={match.targets[at] === null || undefined}>
                    <bdi>{heading}</bdi>
                  </Table.Th>
                ))}
              </Table.Tr>
            )}
          </Table.Thead>
          <Table.Tbody lang={lang}>
            {dataRows.slice(0, PREVIEW_ROWS).map((cells, row) => (
              <Table.Tr key={row}>
                {cells.map((cell, at) => (
                  <Table.Td key={at} data-unused={match.targets[at] === null || undefined}>
                    <bdi>{cell}</bdi>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {dataRows.length > PREVIEW_ROWS && (
        <Text size="sm" c="dimmed">
          {t('list.paste.more', { count: dataRows.length - PREVIEW_ROWS })}
        </Text>
      )}
      <Checkbox
        label={t('list.paste.headings')}
        checked={match.hasHeadings}
        onChange={(event) => changeHeadings(event.currentTarget.checked)}
      />
      {rowCount > 0 && (
        <Checkbox
          label={t('list.paste.replace', { count: rowCount })}
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
      )}
      {count < dataRows.length && (
        <Text size="sm" c="red" role="alert">
          {t('list.paste.tooMany', { count, limit: maxRows })}
        </Text>
      )}
      <Group justify="flex-end" lang={i18n.language}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          data-autofocus
          disabled={!isUsable}
          onClick={() => onAdd(rowsFromTable(table, match, columns).slice(0, count), replaces)}
        >
          {t('list.paste.add', { count })}
        </Button>
      </Group>
    </Stack>
  );
}
