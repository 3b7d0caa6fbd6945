import { Skeleton, Switch } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Desk } from './Desk';
import { LiveSheet } from './LiveSheet';
import type { Blank, Making, Said, SetPages } from './messages';
import classes from './Pages.module.css';
import { useLive } from './useLive';

const PdfPages = lazy(() => import('@/shared/pdf/PdfPages').then((module) => ({ default: module.PdfPages })));

export interface LivePagesProps {
  /** The .docx; undefined while it is still being fetched, null where there is none to be had. */
  docx: Uint8Array<ArrayBuffer> | null | undefined;
  /** The server's pages of the same, for browsers that cannot set them. */
  pdf: Uint8Array<ArrayBuffer> | undefined;
  title: string;
  /** BCP 47 of the document, for screen readers. */
  lang?: string | undefined;
  /** Its first page as a small picture: it stands in the place of the pages until they are there. */
  picture?: string | null | undefined;
  /** The same as a list has shown it, where it has: until even the picture is there. */
  smallPicture?: string | null | undefined;
  /** What its fields are filled with; without, the template is shown as it is. */
  values?: Record<string, string> | undefined;
  /** How fields are made of others. */
  making?: Making | null;
  /** What those say that nobody has typed is told whenever it changes. */
  onDerived?: (derived: Record<string, Said>) => void;
  /** Fields left empty print nothing instead of a dotted line. */
  blank?: boolean;
  /** The moment that its dates show; now, if none is named. */
  moment?: string | undefined;
  /** The field in hand: its places are marked, and one of them is kept in sight. */
  field?: string | null;
  /** A field's place on a page was pressed. */
  onField?: (field: string) => void;
  /** This browser cannot set the pages itself: the server's are shown. */
  onUnable?: () => void;
  /** Whether comments and tracked changes can be switched on. */
  reviews?: boolean;
}

/** A document's pages, set in the browser by the engine that sets the PDF; where that cannot be, the PDF's. */
export function LivePages(props: LivePagesProps) {
  const { docx, pdf, title, lang, picture, smallPicture, values, making, onDerived } = props;
  const { blank, moment, field, onField, onUnable, reviews } = props;
  const { t } = useTranslation();
  const desk = useRef<HTMLDivElement>(null);
  const [comments, setComments] = useState(false);
  const [changes, setChanges] = useState(false);
  const [now] = useState(() => Math.floor(Date.now() / 1000));
  const { able, opened, texts } = useLive(docx ?? undefined, {
    values: values ?? null,
    making: making ?? null,
    blank: blank ?? false,
    now: moment ? Math.floor(Date.parse(moment) / 1000) : now,
    comments,
    changes,
  });
  const set = opened?.set ?? null;
  const blanks = useMemo(() => byPage(set), [set]);
  const active = field != null && opened ? opened.fields.indexOf(field) : -1;
  useFollowing(desk, set, active);

  const derived = opened?.derived;
  const tell = useRef(onDerived);
  useEffect(() => {
    tell.current = onDerived;
  });
  useEffect(() => {
    if (derived) tell.current?.(derived);
  }, [derived]);

  const unable = !able || (opened?.failed ?? null) !== null;
  const tellUnable = useRef(onUnable);
  useEffect(() => {
    tellUnable.current = onUnable;
  });
  useEffect(() => {
    if (unable) tellUnable.current?.();
  }, [unable]);

  const press = useRef(onField);
  useEffect(() => {
    press.current = onField;
  });
  const fields = opened?.fields;
  const onBlank = useCallback(
    (number: number) => {
      const name = fields?.[number];
      if (name !== undefined) press.current?.(name);
    },
    [fields],
  );
  const onPlace = useCallback(
    (destination: string) => {
      const spot = set?.destinations[destination];
      if (spot) reveal(desk.current, spot.page, spot.y, 'start', set);
    },
    [set],
  );

  if (unable || docx === null) {
    const why = docx === null ? null : !able ? t('pdf.notHere') : t('pdf.notSet');
    return (
      <div className={classes['live']}>
        {why && (
          <p className={classes['note']} role="status">
            {why}
          </p>
        )}
        <Suspense fallback={<Skeleton height={320} />}>
          <PdfPages data={pdf} title={title} lang={lang} picture={picture} smallPicture={smallPicture} />
        </Suspense>
      </div>
    );
  }
  return (
    <div className={classes['live']}>
      {reviews && (
        <div className={classes['reviews']}>
          <Switch
            label={t('pdf.comments')}
            checked={comments}
            onChange={(event) => setComments(event.currentTarget.checked)}
          />
          <Switch
            label={t('pdf.changes')}
            checked={changes}
            onChange={(event) => setChanges(event.currentTarget.checked)}
          />
        </div>
      )}
      <Desk
        desk={desk}
        title={title}
        pages={set?.pages.length}
        widest={set ? Math.max(...set.pages.map(({ width }) => width), 1) : undefined}
        busy={!set}
        picture={picture}
        smallPicture={smallPicture}
        sheets={
          opened && set
            ? (scale) =>
                set.pages.map((size, page) => (
                  <LiveSheet
                    key={page}
                    live={opened.live}
                    texts={texts}
                    page={page}
                    of={set.pages.length}
                    size={size}
                    scale={scale}
                    lang={set.language ?? lang}
                    picture={page === 0 ? picture : null}
                    blanks={blanks.get(page) ?? NONE}
                    active={active}
                    onBlank={onField && onBlank}
                    onPlace={onPlace}
                  />
                ))
            : undefined
        }
      />
    </div>
  );
}

const NONE: Blank[] = [];

function byPage(set: SetPages | null): Map<number, Blank[]> {
  const pages = new Map<number, Blank[]>();
  for (const blank of set?.blanks ?? []) pages.set(blank.page, [...(pages.get(blank.page) ?? []), blank]);
  return pages;
}

/** Keeps a place of the field in hand in sight: the first one, unless another is. */
function useFollowing(desk: React.RefObject<HTMLDivElement | null>, set: SetPages | null, active: number) {
  useEffect(() => {
    const element = desk.current;
    if (!element || !set || active < 0) return;
    const places = set.blanks.filter(({ field }) => field === active);
    const window = element.getBoundingClientRect();
    const seen = places.some((blank) => {
      const at = positionOf(element, blank.page, blank.y, set);
      const scale = scaleOf(element, blank.page, set);
      return at !== null && at >= window.top && at + blank.height * scale <= window.bottom;
    });
    const [first] = places;
    if (!seen && first) reveal(element, first.page, first.y + first.height / 2, 'center', set);
  }, [desk, set, active]);
}

function sheetOf(desk: HTMLElement, page: number): Element | null {
  return desk.querySelector(`[data-page="${page}"]`);
}

function scaleOf(desk: HTMLElement, page: number, set: SetPages): number {
  const height = set.pages[page]?.height ?? 1;
  return (sheetOf(desk, page)?.getBoundingClientRect().height ?? 0) / height;
}

/** Where a place of a page stands in the window. */
function positionOf(desk: HTMLElement, page: number, y: number, set: SetPages): number | null {
  const sheet = sheetOf(desk, page);
  return sheet ? sheet.getBoundingClientRect().top + y * scaleOf(desk, page, set) : null;
}

/** Scrolls the desk, and nothing else, to a place of a page. */
function reveal(
  desk: HTMLElement | null,
  page: number,
  y: number,
  where: 'start' | 'center',
  set: SetPages,
): void {
  const at = desk && positionOf(desk, page, y, set);
  if (!desk || at === null) return;
  const wanted = where === 'start' ? 24 : desk.clientHeight / 2;
  desk.scrollTop += at - desk.getBoundingClientRect().top - wanted;
}
