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
  /** The .docx file; undefined while it is loading, null if it is not available. */
  docx: Uint8Array<ArrayBuffer> | null | undefined;
  /** The same pages laid out by the server, for browsers that cannot do it. */
  pdf: Uint8Array<ArrayBuffer> | undefined;
  title: string;
  /** The document's language (BCP 47), for screen readers. */
  lang?: string | undefined;
  /** The first page as a small picture, shown until the pages are ready. */
  picture?: string | null | undefined;
  /** A smaller picture that a list has already loaded, shown until `picture` has loaded. */
  smallPicture?: string | null | undefined;
  /** The values of the fields. Without them the template is shown unfilled. */
  values?: Record<string, string> | undefined;
  /** The derivations of fields. */
  making?: Making | null;
  /** Called with the derived values whenever they change. */
  onDerived?: (derived: Record<string, Said>) => void;
  /** True if empty fields print nothing, false for a dotted line. */
  blank?: boolean;
  /** The time that the date fields of Word show; the current time by default. */
  moment?: string | undefined;
  /** The active field: its places are marked, and one of them is kept visible. */
  field?: string | null;
  /** Called when the place of a field on a page is clicked. */
  onField?: (field: string) => void;
  /** Called if this browser cannot lay out the pages, so the server's are shown. */
  onUnable?: () => void;
  /** True if comments and tracked changes can be switched on. */
  reviews?: boolean;
}

/**
 * A document's pages, laid out in the browser by the engine that also makes the PDF. If that is not possible, the
 * PDF is shown.
 */
export function LivePages(props: LivePagesProps) {
  const { docx, pdf, title, lang, picture, smallPicture, values, making, onDerived } = props;
  const { blank, moment, field, onField, onUnable, reviews } = props;
  const { t } = useTranslation();
  const desk = useRef<HTMLDivElement>(null);
  const [comments, setComments] = useState(false);
  const [changes, setChanges] = useState(false);
  const [now] = useState(() => Math.floor(Date.now() / 1000));
  const { able, opened, texts, restarting, stopped } = useLive(docx ?? undefined, {
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

  // After a crash nothing is known of derived fields, rather than what was known before it.
  const derived = stopped ? NOT_DERIVED : opened?.derived;
  const tell = useRef(onDerived);
  useEffect(() => {
    tell.current = onDerived;
  });
  useEffect(() => {
    if (derived) tell.current?.(derived);
  }, [derived]);

  const unable = !able || stopped || (opened?.failed ?? null) !== null;
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
    const why =
      docx === null
        ? null
        : t(!able ? 'pdf.notHere' : !stopped ? 'pdf.notSet' : values ? 'pdf.stoppedForm' : 'pdf.stopped');
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
      {restarting && (
        <p className={classes['note']} role="status">
          {t('pdf.restarting')}
        </p>
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
const NOT_DERIVED: Record<string, Said> = {};

function byPage(set: SetPages | null): Map<number, Blank[]> {
  const pages = new Map<number, Blank[]>();
  for (const blank of set?.blanks ?? []) pages.set(blank.page, [...(pages.get(blank.page) ?? []), blank]);
  return pages;
}

/** Keeps a place of the active field visible: the first one, unless another is visible. */
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

/** Returns the vertical position of a place of a page in the window. */
function positionOf(desk: HTMLElement, page: number, y: number, set: SetPages): number | null {
  const sheet = sheetOf(desk, page);
  return sheet ? sheet.getBoundingClientRect().top + y * scaleOf(desk, page, set) : null;
}

/** Scrolls only the desk to a place of a page. */
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
