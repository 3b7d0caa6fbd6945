import { Button, TextInput } from '@mantine/core';
import { useEffect, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';

import { findPlaces } from '@/shared/pages/client';
import type { FoundPlace, FoundPlaces, PageSelection } from '@/shared/pages/messages';

import classes from './Marking.module.css';
import { nameForText, type ChosenField, type MarkRole } from './markedFields';
import { readPageSelection } from './pageSelection';

interface SelectionBarProps {
  docx: Uint8Array<ArrayBuffer>;
  /** The element with the pages. */
  pages: RefObject<HTMLDivElement | null>;
  /** The number of fields, for the number in the name of the next one. */
  fieldCount: number;
  /** Returns false if an accepted field is at the same place. */
  onAdd: (chosen: ChosenField) => boolean;
}

interface Selected {
  selection: PageSelection;
  /** Null while the document is searched. */
  found: FoundPlaces | null;
}

/**
 * Makes fields of what is selected on the pages, or of a text that is searched for: the way for the keyboard, because
 * text on a page cannot be selected with it in all browsers.
 */
export function SelectionBar({ docx, pages, fieldCount, onAdd }: SelectionBarProps) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<Selected | null>(null);
  const [searched, setSearched] = useState('');
  const [problem, setProblem] = useState<'notFound' | 'taken' | 'failed' | null>(null);

  useEffect(() => {
    let isCurrent = true;
    let latest = 0;
    const read = () => {
      const selection = pages.current && readPageSelection(pages.current);
      if (!selection) return;
      const request = (latest += 1);
      const isLatest = () => isCurrent && request === latest;
      setProblem(null);
      setSelected({ selection, found: null });
      findPlaces(docx, selection).then(
        (found) => isLatest() && setSelected({ selection, found }),
        () => isLatest() && setProblem('failed'),
      );
    };
    // A selection is read when it is finished, not at each of its changes.
    const element = pages.current;
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.shiftKey || event.key === 'Shift') read();
    };
    element?.addEventListener('pointerup', read);
    document.addEventListener('keyup', onKeyUp);
    return () => {
      isCurrent = false;
      element?.removeEventListener('pointerup', read);
      document.removeEventListener('keyup', onKeyUp);
    };
  }, [docx, pages]);

  const search = async () => {
    const selection = { text: searched.trim(), before: '', after: '' };
    if (!selection.text) return;
    setProblem(null);
    setSelected({ selection, found: null });
    await findPlaces(docx, selection).then(
      (found) => setSelected({ selection, found }),
      () => setProblem('failed'),
    );
  };

  const place = selected?.found?.selected ?? null;
  const others = selected?.found?.others ?? [];
  const text = selected?.selection.text.trim() ?? '';
  const isPosition = selected?.selection.text === '';

  const add = (role: MarkRole, places: FoundPlace[]) => {
    const fallback = t(
      role === 'row' ? 'marking.rowName' : role === 'optional' ? 'marking.optionalName' : 'marking.fieldName',
      {
        number: fieldCount + 1,
      },
    );
    const [first] = places;
    if (!first) return;
    const isAdded = onAdd({
      name: role === 'value' ? nameForText(text, fallback) : fallback,
      role,
      places: places.map(({ part, paragraph, start, end, last_paragraph }) => ({
        part,
        paragraph,
        // A row has no range, and paragraphs are complete.
        ...(role === 'row' || last_paragraph !== undefined ? { start: 0, end: 0 } : { start, end }),
        ...(role === 'optional' && last_paragraph !== undefined && { last_paragraph }),
      })),
      text,
      context: first.context,
    });
    if (!isAdded) return setProblem('taken');
    setSelected(null);
    setSearched('');
    document.getSelection()?.removeAllRanges();
  };

  const shownProblem = problem ?? (selected?.found && !place ? 'notFound' : null);
  return (
    <div className={classes['selection']} role="region" aria-label={t('marking.selection')}>
      <form
        className={classes['search']}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void search();
        }}
      >
        <TextInput
          size="xs"
          autoComplete="off"
          dir="auto"
          aria-label={t('marking.search')}
          placeholder={t('marking.search')}
          value={searched}
          onChange={(event) => setSearched(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default">
          {t('marking.find')}
        </Button>
      </form>
      <div className={classes['selected']} role="status">
        {shownProblem ? (
          <span className={classes['problem']}>{t(`marking.${shownProblem}`)}</span>
        ) : !selected ? (
          <span className={classes['hint']}>{t('marking.selectHint')}</span>
        ) : (
          <span className={classes['hint']} dir="auto">
            {isPosition ? t('marking.position') : <q>{text.length > 80 ? `${text.slice(0, 80)}…` : text}</q>}
          </span>
        )}
      </div>
      {place && (
        <div className={classes['actions']}>
          {isPosition ? (
            <Button size="xs" variant="light" onClick={() => add('value', [place])}>
              {t('marking.insert')}
            </Button>
          ) : (
            place.last_paragraph === undefined && (
              <>
                <Button size="xs" variant="light" onClick={() => add('value', [place])}>
                  {t('marking.makeField')}
                </Button>
                {others.length > 0 && (
                  <Button size="xs" variant="default" onClick={() => add('value', [place, ...others])}>
                    {t('marking.makeFieldEverywhere', { count: others.length + 1 })}
                  </Button>
                )}
              </>
            )
          )}
          <Button size="xs" variant="default" onClick={() => add('optional', [place])}>
            {t('marking.makeOptional')}
          </Button>
          {place.in_row && (
            <Button size="xs" variant="default" onClick={() => add('row', [place])}>
              {t('marking.makeRow')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
