import { Button, Input, VisuallyHidden } from '@mantine/core';
import { useId, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import toast from 'react-hot-toast';

import type { DerivedValue } from '@/shared/pages/messages';
import { LIMITS } from '@/shared/settings';
import { PlusIcon } from '@/shared/ui/icons';
import { undoToast } from '@/shared/ui/Toasts';

import { FieldDescription, hasDescription } from '../FieldInput';
import type { FieldSettings } from '../fieldSettings';
import { TableIcon } from '../icons';
import type { Row } from '../values';

import { Grid } from './Grid';
import classes from './ListInput.module.css';
import { DerivedValuesContext } from './NestedList';
import { PasteDialog, type PastedTable } from './PasteDialog';
import { readCsvFile } from './readCsvFile';
import { tableFromClipboard } from './table';
import { useListRows } from './useListRows';
import { useRowCommands } from './useRowCommands';

interface ListInputProps {
  /** The settings of the list and of its columns. */
  settings: FieldSettings;
  rows: Row[];
  /** The path of the list: its name, or `items[3].parts` for a list in a list. */
  path: string;
  /** The template's language (BCP 47) and country. */
  lang: string;
  country: string | null;
  /** The values of derived cells that are known so far, by path. */
  derivedValues: Record<string, DerivedValue>;
  /** True if missing rows are an error, because the form was submitted. */
  showsMissing?: boolean;
  /** Called with the path of the value whose input gets the focus. */
  onFocus: (path: string) => void;
  onChange: (rows: Row[]) => void;
}

const NO_COLUMNS: FieldSettings[] = [];

/** Returns true for events in dialogs of cells, which React passes on to the list. */
function isInDialog({ currentTarget, target }: DragEvent): boolean {
  return !currentTarget.contains(target as Node);
}

/** The input of a list: a grid with one row per entry. */
export function ListInput(props: ListInputProps) {
  const { settings, rows, path, lang, country, derivedValues, showsMissing, onFocus, onChange } = props;
  const { t, i18n } = useTranslation();
  const { field, label, columns = NO_COLUMNS, minRows, maxRows } = settings;
  const listLabel = label || field;
  const limit = Math.min(maxRows ?? LIMITS.listRows, LIMITS.listRows);
  const labelId = useId();
  const container = useRef<HTMLDivElement>(null);
  /** The dialog for rows of a spreadsheet, with the table that was pasted or null; undefined if it is closed. */
  const [pasted, setPasted] = useState<PastedTable | null>();
  const [isDropTarget, setDropTarget] = useState(false);
  const actions = useListRows(rows, columns, limit, onChange);
  const firstColumn = Math.max(
    columns.findIndex(({ derivation }) => !derivation),
    0,
  );
  const { commands, announcement } = useRowCommands(container, actions, listLabel, firstColumn);
  const isMissing = minRows != null && rows.length < minRows;
  const isFull = rows.length >= limit;

  const showFile = async (file: File) => {
    const read = await readCsvFile(file, i18n.language);
    if ('problem' in read) toast.error(t(`list.paste.${read.problem}`));
    else setPasted({ table: read.table, startColumn: 0 });
  };

  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    setDropTarget(false);
    if (!file || isInDialog(event)) return;
    event.preventDefault();
    void showFile(file);
  };

  const addPasted = (added: Row[], replaces: boolean) => {
    setPasted(undefined);
    const before = actions.count();
    const undo = actions.addAll(added, replaces);
    const count = replaces ? actions.count() : Math.min(added.length, limit - Math.min(before, limit));
    undoToast(t('list.pasted', { count, list: listLabel }), t('undo'), undo);
  };

  return (
    <div
      ref={container}
      className={classes['list']}
      role="group"
      aria-labelledby={labelId}
      data-list
      data-input={path}
      data-drop-target={isDropTarget || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files') || isInDialog(event)) return;
        event.preventDefault();
        setDropTarget(true);
      }}
      onDragLeave={() => setDropTarget(false)}
      onDrop={drop}
    >
      <div className={classes['head']}>
        <Input.Label component="span" id={labelId} fw={600}>
          <bdi>{listLabel}</bdi>
        </Input.Label>
        <span className={classes['count']} lang={i18n.language} data-row-count>
          {t('list.rows', { count: rows.length })}
          {minRows ? ` · ${t('list.atLeast', { count: minRows })}` : ''}
          {maxRows != null ? ` · ${t('list.atMost', { count: maxRows })}` : ''}
        </span>
      </div>
      {hasDescription(settings) && (
        <Input.Description>
          <FieldDescription settings={settings} />
        </Input.Description>
      )}
      {rows.length > 0 ? (
        <DerivedValuesContext value={derivedValues}>
          <Grid
            columns={columns}
            rows={rows}
            isFull={isFull}
            path={path}
            listLabel={listLabel}
            labelledBy={labelId}
            lang={lang}
            country={country}
            derivedValues={derivedValues}
            commands={commands}
            onFocus={onFocus}
            onPasteTable={(text, startColumn) => setPasted({ table: tableFromClipboard(text), startColumn })}
          />
        </DerivedValuesContext>
      ) : (
        <p className={classes['none']} lang={i18n.language}>
          {t('list.none')}
        </p>
      )}
      {isMissing && showsMissing && (
        <Input.Error role="alert" lang={i18n.language}>
          {t('list.tooFew', { count: minRows })}
        </Input.Error>
      )}
      <div className={classes['buttons']} lang={i18n.language}>
        <Button
          variant="default"
          size="xs"
          leftSection={<PlusIcon size={16} />}
          disabled={isFull}
          data-add-row
          aria-label={t('list.addTo', { list: listLabel })}
          onFocus={() => onFocus(path)}
          onClick={() => commands.insertAfter(null)}
        >
          {t('list.add')}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<TableIcon size={16} />}
          aria-haspopup="dialog"
          aria-label={t('list.paste.openFor', { list: listLabel })}
          onClick={() => setPasted(null)}
        >
          {t('list.paste.open')}
        </Button>
      </div>
      <VisuallyHidden component="p" role="status" lang={i18n.language}>
        {announcement}
      </VisuallyHidden>
      {pasted !== undefined && (
        <PasteDialog
          columns={columns}
          pasted={pasted}
          listLabel={listLabel}
          lang={lang}
          rowCount={rows.length}
          maxRows={limit}
          onTable={(table) => setPasted({ table, startColumn: 0 })}
          onAdd={addPasted}
          onClose={() => setPasted(undefined)}
        />
      )}
    </div>
  );
}
