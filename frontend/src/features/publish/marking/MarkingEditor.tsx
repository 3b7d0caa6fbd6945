import { Alert, Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { StructuredField } from '@/shared/fields/values';
import { markFields } from '@/shared/pages/client';
import { LivePages } from '@/shared/pages/LivePages';

import { FieldList, type FieldListHandle } from './FieldList';
import classes from './Marking.module.css';
import {
  acceptAll,
  addField,
  changeField,
  marksToShow,
  marksToWrite,
  nameProblem,
  removeField,
  shownStructure,
  shownValues,
  type ChosenField,
} from './markedFields';
import { SelectionBar } from './SelectionBar';
import { useMarkingHistory, type MarkingHistory } from './useMarkingHistory';

/** A file whose places were turned into fields. */
export interface MarkedFile {
  original: File;
  marked: File;
  history: MarkingHistory;
  /** The places that could not be marked. */
  skipped: number;
}

interface MarkingEditorProps {
  file: File;
  docx: Uint8Array<ArrayBuffer>;
  /** The fields that the file has already. */
  existing: readonly StructuredField[];
  initial: MarkingHistory;
  /** The number of blanks that are not listed. */
  omitted: number;
  lang: string | undefined;
  onApply: (result: MarkedFile) => void;
  onClose: (history: MarkingHistory) => void;
}

/** The editor in which an author turns blanks and other places of a document into fields. It covers the page. */
export function MarkingEditor(props: MarkingEditorProps) {
  const { file, docx, existing, initial, omitted, lang, onApply, onClose } = props;
  const { t } = useTranslation();
  const { history, fields, canUndo, canRedo, change, undo, redo } = useMarkingHistory(initial);
  const [activeId, setActiveId] = useState<string | null>(null);
  const pages = useRef<HTMLDivElement>(null);
  const list = useRef<FieldListHandle>(null);

  // The pages are laid out again only if places were added or removed, not for names.
  const shownMarks = JSON.stringify(marksToShow(fields));
  const shown = useQuery({
    queryKey: ['shownMarks', file.name, file.size, file.lastModified, shownMarks],
    queryFn: () => markFields(docx, marksToShow(fields)).then(({ bytes }) => bytes),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const structure = useMemo(() => shownStructure(existing, fields), [existing, fields]);
  const values = useMemo(() => shownValues(fields), [fields]);
  const suggested = useMemo(
    () => new Set(fields.filter(({ isAccepted }) => !isAccepted).map(({ id }) => id)),
    [fields],
  );

  const apply = useMutation({
    mutationFn: async (): Promise<MarkedFile> => {
      const { bytes, report } = await markFields(docx, marksToWrite(fields));
      const marked = new File([bytes], file.name, { type: file.type, lastModified: Date.now() });
      return { original: file, marked, history, skipped: report.skipped.length };
    },
    onSuccess: onApply,
  });

  const accepted = fields.filter(({ isAccepted }) => isAccepted);
  const invalid = accepted.find(({ name }) => nameProblem(name));
  const certain = fields.filter(({ isAccepted, isUncertain }) => !isAccepted && !isUncertain).length;

  /** Adds a field. Returns false if an accepted field is at the same place. */
  const add = (chosen: ChosenField): boolean => {
    const added = addField(fields, chosen);
    if (!added) return false;
    change(() => added.fields);
    setActiveId(added.id);
    list.current?.focusName(added.id);
    return true;
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Text inputs have an undo of their own.
      if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) redo();
      else undo();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });

  return (
    <Modal
      opened
      fullScreen
      // Escape must not close an editor in which a name is typed.
      closeOnEscape={false}
      onClose={() => onClose(history)}
      title={t('marking.title', { file: file.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ body: classes['body'] ?? '', content: classes['content'] ?? '' }}
    >
      <div className={classes['toolbar']}>
        <Group gap="xs">
          {certain > 0 && (
            <Button size="xs" onClick={() => change(acceptAll)}>
              {t('marking.acceptAll', { count: certain })}
            </Button>
          )}
          <Button size="xs" variant="default" disabled={!canUndo} onClick={undo}>
            {t('marking.undo')}
          </Button>
          <Button size="xs" variant="default" disabled={!canRedo} onClick={redo}>
            {t('marking.redo')}
          </Button>
        </Group>
        <Group gap="xs">
          <Text size="sm" role="status">
            {t('marking.accepted', { count: accepted.length })}
          </Text>
          <Button
            size="xs"
            variant={certain > 0 ? 'default' : 'filled'}
            disabled={accepted.length === 0 || invalid !== undefined}
            loading={apply.isPending}
            onClick={() => apply.mutate()}
          >
            {t('marking.apply')}
          </Button>
        </Group>
      </div>
      {(apply.isError || shown.isError) && (
        <Alert color="red" variant="light" role="alert">
          {t('marking.failed')}
        </Alert>
      )}
      <div className={classes['columns']}>
        <div className={classes['pages']}>
          <SelectionBar docx={docx} pages={pages} onAdd={add} fieldCount={fields.length} />
          <div ref={pages} className={classes['viewer']}>
            {shown.data ? (
              <LivePages
                docx={shown.data}
                pdf={undefined}
                title={file.name}
                lang={lang}
                structure={structure}
                values={values}
                activeField={activeId}
                suggestedFields={suggested}
                onFieldClick={(id) => {
                  setActiveId(id);
                  list.current?.focusName(id);
                }}
              />
            ) : (
              <Skeleton height={480} />
            )}
          </div>
        </div>
        <FieldList
          ref={list}
          fields={fields}
          omitted={omitted}
          lang={lang}
          onFocus={setActiveId}
          onChange={(id, changes) => change((now) => changeField(now, id, changes))}
          onRemove={({ id }) => change((now) => removeField(now, id))}
        />
      </div>
    </Modal>
  );
}
