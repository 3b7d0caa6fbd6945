import { Badge, Button, Group } from '@mantine/core';
import { useRef, useImperativeHandle, type Ref } from 'react';
import { useTranslation } from 'react-i18next';

import type { DiagnosticCode } from '@/api/types';
import { diagnosticLocation, diagnosticText } from '@/shared/i18n/diagnostics';

import { splitContext } from '../groupDiagnostics';

import classes from './Marking.module.css';
import type { MarkedField } from './markedFields';
import type { PlacedProblem } from './problems';

export interface ProblemListHandle {
  /** Moves the focus to a problem. Returns false if it is not listed or not visible. */
  focus(id: string): boolean;
}

interface ProblemListProps {
  ref: Ref<ProblemListHandle>;
  problems: readonly PlacedProblem[];
  fields: readonly MarkedField[];
  /** The language of the document, BCP 47. */
  lang: string | undefined;
  /** Moves the focus to the icon of a problem on the page. */
  onShow: (problem: PlacedProblem) => void;
  /** Makes the text of a problem a field. */
  onRepair: (problem: PlacedProblem) => void;
  onGoToField: (id: string) => void;
}

/** The problems of the document. Each says what to do, and leads to its place on the page. */
export function ProblemList({
  ref,
  problems,
  fields,
  lang,
  onShow,
  onRepair,
  onGoToField,
}: ProblemListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  useImperativeHandle(ref, () => ({
    focus: (id) => {
      const items = [...(list.current?.querySelectorAll<HTMLElement>('li[data-problem]') ?? [])];
      const item = items.find(({ dataset }) => dataset['problem'] === id);
      if (!item || item.getClientRects().length === 0) return false;
      item.focus();
      return true;
    },
  }));
  if (problems.length === 0) return <p className={classes['hint']}>{t('publish.nothingFound')}</p>;
  return (
    <ul ref={list} className={classes['problems']} aria-label={t('publish.findings')}>
      {problems.map((problem) => {
        const { id, diagnostic, isError, isRepairable, places, shownFields, fieldIds } = problem;
        const text = problem.selections[0]?.text ?? '';
        const location = diagnosticLocation(diagnostic, t);
        const advice = adviceFor(diagnostic.code, isError, isRepairable);
        return (
          <li
            key={id}
            data-problem={id}
            data-severity={isError ? 'error' : 'warning'}
            // A problem gets the focus when its icon on the page is clicked.
            tabIndex={-1}
            className={classes['field']}
          >
            <p>
              <Badge color={isError ? 'red' : 'gray'} variant={isError ? 'filled' : 'light'} me={8}>
                {t(isError ? 'findings.error' : 'findings.warning')}
              </Badge>
              {diagnosticText(diagnostic, t)}
              {advice && ` ${t(`marking.${advice}`)}`}
            </p>
            {diagnostic.context && (
              <p className={classes['faulty']} lang={lang} dir="auto">
                {splitContext(diagnostic).map((part, index) =>
                  part.isFaulty ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
                )}
              </p>
            )}
            {shownFields.length === 0 && location && <p className={classes['context']}>{location}</p>}
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => onShow(problem)}>
                {t('marking.show')}
              </Button>
              {isRepairable && places.length > 0 && (
                <Button size="xs" variant="light" onClick={() => onRepair(problem)}>
                  <span>
                    {t('marking.makeField')}: <bdi dir="auto">{text}</bdi>
                  </span>
                </Button>
              )}
              {fields
                .filter((field) => fieldIds.includes(field.id))
                .map((field) => (
                  <Button key={field.id} size="xs" variant="light" onClick={() => onGoToField(field.id)}>
                    {t('marking.goTo', { name: field.name })}
                  </Button>
                ))}
            </Group>
          </li>
        );
      })}
    </ul>
  );
}

/** The codes whose texts do not say yet what to do. */
const WITHOUT_ADVICE: ReadonlySet<DiagnosticCode> = new Set([
  'field_across_paragraphs',
  'field_not_fillable',
  'invalid_tag',
]);

/** Returns what the author can do, for problems whose text does not say it. */
function adviceFor(code: DiagnosticCode, isError: boolean, isRepairable: boolean) {
  if (isRepairable) return 'adviceField';
  if (code === 'lookalike_names') return 'adviceNames';
  if (WITHOUT_ADVICE.has(code) || (isError && code === 'nested_field')) return 'adviceWord';
  return null;
}
