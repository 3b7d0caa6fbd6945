import { Alert, Badge, Button, Group, Modal, Skeleton, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { StructuredField } from '@/shared/fields/values';
import { markFields } from '@/shared/pages/client';
import { LivePages } from '@/shared/pages/LivePages';
import { diagnosticText } from '@/shared/i18n/diagnostics';
import { formatNumber } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';

import { TestFillForm } from '../TestFillForm';

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
import { ProblemList, type ProblemListHandle } from './ProblemList';
import { repairedName, type PlacedProblem } from './problems';
import { SelectionBar } from './SelectionBar';
import { useMarkedCheck } from './useMarkedCheck';
import { useMarkingHistory, type MarkingHistory } from './useMarkingHistory';
import { useProblems } from './useProblems';
import { useTestFill } from './useTestFill';

/** A file whose places were turned into fields. */
export interface MarkedFile {
  original: File;
  marked: File;
  history: MarkingHistory;
  /** The fields that the original has already. */
  existing: readonly StructuredField[];
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
  /** The country of the template, ISO 3166. */
  country: string | null;
  onApply: (result: MarkedFile) => void;
  onClose: (history: MarkingHistory) => void;
}

type EditorTab = 'fields' | 'problems' | 'fill';

/** The editor in which an author turns blanks and other places of a document into fields. It covers the page. */
export function MarkingEditor(props: MarkingEditorProps) {
  const { file, docx, existing, initial, omitted, lang, country, onApply, onClose } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const locale = useFormattingLocale();
  const { history, fields, canUndo, canRedo, change, undo, redo } = useMarkingHistory(initial);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [tab, setTab] = useState<EditorTab>('fields');
  const pages = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const list = useRef<FieldListHandle>(null);
  const problemList = useRef<ProblemListHandle>(null);

  const checked = useMarkedCheck(file, docx, fields);
  const found = useProblems({ file, docx, checked, fields, existing });
  const { problems } = found;
  const hasErrors = problems.some(({ isError }) => isError);
  // Without a language the server reads the document as English.
  const testFill = useTestFill(checked.check, lang ?? 'en', country);

  // The pages are laid out again only if places were added or removed, not for names.
  const allMarks = [...marksToShow(fields), ...found.marks];
  const shownMarks = JSON.stringify(allMarks);
  const shown = useQuery({
    queryKey: ['shownMarks', file.name, file.size, file.lastModified, shownMarks],
    queryFn: () => markFields(docx, allMarks).then(({ bytes }) => bytes),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const structure = useMemo(
    () => [...shownStructure(existing, fields), ...found.structure],
    [existing, fields, found.structure],
  );
  const values = useMemo(
    () => ({ ...shownValues(existing, fields), ...found.values }),
    [existing, fields, found.values],
  );
  const suggested = useMemo(
    () => new Set(fields.filter(({ isAccepted }) => !isAccepted).map(({ id }) => id)),
    [fields],
  );
  const pageProblems = useMemo(
    () =>
      problems.map(({ id, diagnostic, isError, shownFields }) => ({
        id,
        isError,
        fields: shownFields,
        label: `${t(isError ? 'findings.error' : 'findings.warning')}: ${diagnosticText(diagnostic, t)}`,
      })),
    [problems, t],
  );

  const apply = useMutation({
    mutationFn: async (): Promise<MarkedFile> => {
      const { bytes, report } = await markFields(docx, marksToWrite(fields));
      const marked = new File([bytes], file.name, { type: file.type, lastModified: Date.now() });
      return { original: file, marked, history, existing, skipped: report.skipped.length };
    },
    onSuccess: onApply,
  });

  const accepted = fields.filter(({ isAccepted }) => isAccepted);
  const invalid = accepted.find(({ name }) => nameProblem(name));
  const certain = fields.filter(({ isAccepted, isUncertain }) => !isAccepted && !isUncertain).length;

  const goToField = (id: string) => {
    setTab('fields');
    setActiveId(id);
    list.current?.focusName(id);
  };

  /** Adds a field. Returns false if an accepted field is at the same place. */
  const add = (chosen: ChosenField): boolean => {
    const added = addField(fields, chosen);
    if (!added) return false;
    change(() => added.fields);
    goToField(added.id);
    return true;
  };

  const repair = (problem: PlacedProblem) => {
    const [place] = problem.places;
    if (!place) return;
    const { part, paragraph, start, end, context } = place;
    add({
      name: repairedName(problem, t('marking.fieldName', { number: fields.length + 1 })),
      role: 'value',
      places: [{ part, paragraph, start, end }],
      text: problem.selections[0]?.text ?? '',
      context,
    });
  };

  /** The problem that gets the focus when its tab is shown. */
  const [wantedProblem, setWantedProblem] = useState<string | null>(null);
  const goToProblem = (id: string) => {
    setTab('problems');
    setWantedProblem(id);
  };
  useEffect(() => {
    if (wantedProblem !== null && problemList.current?.focus(wantedProblem)) setWantedProblem(null);
  }, [wantedProblem, tab]);

  const showProblem = ({ id, shownFields }: PlacedProblem) => {
    setActiveId(shownFields[0] ?? null);
    const icons = [...(pages.current?.querySelectorAll<HTMLElement>('button[data-problem]') ?? [])];
    icons.find(({ dataset }) => dataset['problem'] === id)?.focus();
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Text inputs have an undo of their own. That of a name is needed only while the name differs from its field's.
      const { target } = event;
      if (tab === 'fill' || target instanceof HTMLTextAreaElement) return;
      if (target instanceof HTMLInputElement && target.type === 'text' && target.dataset['typed'] !== 'same')
        return;
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

  // The focus must not leave the editor with an input or button that is removed.
  useEffect(() => {
    if (document.activeElement === document.body) side.current?.focus();
  }, [fields, problems]);

  const checkFailed = checked.error && (
    <Alert color="red" variant="light" role="alert" title={t('publish.checkFailed')}>
      {errorText(checked.error)}
      <Button
        variant="default"
        size="xs"
        ms="sm"
        loading={checked.isFetching}
        onClick={() => void checked.refetch()}
      >
        {t('retry')}
      </Button>
    </Alert>
  );
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
            {problems.length > 0 && ` · ${t('marking.problems', { count: problems.length })}`}
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
        <div className={classes['views']}>
          {/* The pages are only hidden during a test fill, so that their position and selection stay. */}
          <div className={classes['pages']} data-hidden={tab === 'fill' || undefined}>
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
                  problems={pageProblems}
                  onProblemClick={goToProblem}
                  onFieldClick={(id) => {
                    const problem = problems.find(({ shownFields }) => shownFields.includes(id));
                    if (fields.some((field) => field.id === id)) goToField(id);
                    else if (problem) goToProblem(problem.id);
                  }}
                />
              ) : (
                <Skeleton height={480} />
              )}
            </div>
          </div>
          {tab === 'fill' && testFill.result && (
            <div className={classes['pages']}>
              <LivePages
                {...testFill.pagesProps}
                title={t('marking.filled', { file: file.name })}
                lang={lang}
              />
            </div>
          )}
        </div>
        <Tabs
          ref={side}
          tabIndex={-1}
          value={tab}
          // Hidden lists must keep their refs, because the pages lead to them.
          keepMountedMode="display-none"
          onChange={(chosen) => setTab(chosen as EditorTab)}
          className={classes['side'] ?? ''}
        >
          <Tabs.List aria-label={t('marking.views')}>
            <Tabs.Tab value="fields">{t('marking.fieldsTab')}</Tabs.Tab>
            <Tabs.Tab
              value="problems"
              rightSection={
                problems.length > 0 ? (
                  <Badge size="sm" circle color={hasErrors ? 'red' : 'gray'}>
                    {formatNumber(problems.length, locale)}
                  </Badge>
                ) : undefined
              }
            >
              {t('marking.problemsTab')}
            </Tabs.Tab>
            <Tabs.Tab value="fill">{t('marking.fillTab')}</Tabs.Tab>
          </Tabs.List>
          <TabPanel value="fields">
            <FieldList
              ref={list}
              fields={fields}
              omitted={omitted}
              lang={lang}
              onFocus={setActiveId}
              onChange={(id, changes) => change((now) => changeField(now, id, changes))}
              onRemove={({ id }) => change((now) => removeField(now, id))}
            />
          </TabPanel>
          <TabPanel value="problems">
            {checkFailed}
            {checked.check ? (
              <ProblemList
                ref={problemList}
                problems={problems}
                fields={fields}
                lang={lang}
                onShow={showProblem}
                onRepair={repair}
                onGoToField={goToField}
              />
            ) : (
              !checkFailed && <p role="status">{t('publish.checking')}</p>
            )}
          </TabPanel>
          <TabPanel value="fill">
            {checkFailed}
            {!testFill.result || !checked.isCurrent ? (
              !checkFailed && <p role="status">{t('publish.checking')}</p>
            ) : testFill.settings.length === 0 ? (
              <p className={classes['hint']}>{t('marking.nothingToFill')}</p>
            ) : (
              <>
                {hasErrors && (
                  <Alert color="red" variant="light">
                    {t('marking.fillWithProblems')}
                    <Button size="xs" variant="default" ms="sm" onClick={() => setTab('problems')}>
                      {t('marking.problemsTab')}
                    </Button>
                  </Alert>
                )}
                <TestFillForm {...testFill.formProps} onChange={testFill.change} serverFill={null} />
              </>
            )}
          </TabPanel>
        </Tabs>
      </div>
    </Modal>
  );
}

function TabPanel({ value, children }: { value: EditorTab; children: ReactNode }) {
  return (
    <Tabs.Panel value={value} className={classes['panel'] ?? ''}>
      {children}
    </Tabs.Panel>
  );
}
