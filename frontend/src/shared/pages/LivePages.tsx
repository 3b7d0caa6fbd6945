import { Skeleton, Switch } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { PageViewer } from './PageViewer';
import { LiveSheet } from './LiveSheet';
import type { ValueArea, TemplateDerivations, DerivedValue, LaidOutPages } from './messages';
import classes from './Pages.module.css';
import { useLiveDocument } from './useLiveDocument';

const PdfPages = lazy(() => import('@/shared/pdf/PdfPages').then((module) => ({ default: module.PdfPages })));

export interface LivePagesProps {
  /** The .docx file; undefined while it is loading, null if it is not available. */
  docx: Uint8Array<ArrayBuffer> | null | undefined;
  /** The same pages laid out by the server, for browsers that cannot do it. */
  pdf: Uint8Array<ArrayBuffer> | undefined;
  title: string;
  /** The document's language (BCP 47), for screen readers. */
  lang?: string | undefined;
  /** The template's country (ISO 3166), for the dates of Word fields. */
  country?: string | null | undefined;
  /** The first page as a small picture, shown until the pages are ready. */
  picture?: string | null | undefined;
  /** A smaller picture that a list has already loaded, shown until `picture` has loaded. */
  smallPicture?: string | null | undefined;
  /** The values of the fields. Without them the template is shown unfilled. */
  values?: Record<string, string> | undefined;
  /** The derivations of fields. */
  derivations?: TemplateDerivations | null;
  /** Called with the derived values whenever they change. */
  onDerived?: (derived: Record<string, DerivedValue>) => void;
  /** True if empty fields print nothing, false for a dotted line. */
  blank?: boolean;
  /** The time that the date fields of Word show; the current time by default. */
  documentTime?: string | undefined;
  /** The active field: its values are marked on the pages, and one of them is kept visible. */
  activeField?: string | null;
  /** Called when the value of a field is clicked on a page. */
  onFieldClick?: (field: string) => void;
  /** Called if this browser cannot lay out the pages, so the server's are shown. */
  onUnsupported?: () => void;
  /** True if comments and tracked changes can be switched on. */
  showsReviewSwitches?: boolean;
}

/**
 * A document's pages, laid out in the browser by the engine that also creates the PDF. If that is not possible, the
 * PDF is shown.
 */
export function LivePages(props: LivePagesProps) {
  const { docx, pdf, title, lang, country, picture, smallPicture, values, derivations, onDerived } = props;
  const { blank, documentTime, activeField, onFieldClick, onUnsupported, showsReviewSwitches } = props;
  const { t } = useTranslation();
  const viewerRef = useRef<HTMLDivElement>(null);
  const [comments, setComments] = useState(false);
  const [changes, setChanges] = useState(false);
  const [now] = useState(() => Math.floor(Date.now() / 1000));
  const { isSupported, state, subscribeToText, isRestarting, hasGivenUp } = useLiveDocument(
    docx ?? undefined,
    {
      values: values ?? null,
      derivations: derivations ?? null,
      blank: blank ?? false,
      now: documentTime ? Math.floor(Date.parse(documentTime) / 1000) : now,
      country: country ?? null,
      comments,
      changes,
    },
  );
  const layout = state?.layout ?? null;
  const valueAreas = useMemo(() => groupByPage(layout), [layout]);
  const activeIndex = activeField != null && state ? state.fields.indexOf(activeField) : -1;
  useScrollToActiveField(viewerRef, layout, activeIndex);

  // After a crash the last derived values may be outdated, so none are shown.
  const derivedValues = hasGivenUp ? NO_DERIVED_VALUES : state?.derivedValues;
  const latestOnDerived = useRef(onDerived);
  useEffect(() => {
    latestOnDerived.current = onDerived;
  });
  useEffect(() => {
    if (derivedValues) latestOnDerived.current?.(derivedValues);
  }, [derivedValues]);

  const usesServerPages = !isSupported || hasGivenUp || (state?.errorCode ?? null) !== null;
  const latestOnUnsupported = useRef(onUnsupported);
  useEffect(() => {
    latestOnUnsupported.current = onUnsupported;
  });
  useEffect(() => {
    if (usesServerPages) latestOnUnsupported.current?.();
  }, [usesServerPages]);

  const latestOnFieldClick = useRef(onFieldClick);
  useEffect(() => {
    latestOnFieldClick.current = onFieldClick;
  });
  const fields = state?.fields;
  const handleFieldClick = useCallback(
    (number: number) => {
      const name = fields?.[number];
      if (name !== undefined) latestOnFieldClick.current?.(name);
    },
    [fields],
  );
  const handleLinkClick = useCallback(
    (destination: string) => {
      const target = layout?.destinations[destination];
      if (target) scrollToPosition(viewerRef.current, target.page, target.y, 'start', layout);
    },
    [layout],
  );

  if (usesServerPages || docx === null) {
    const explanation =
      docx === null
        ? null
        : t(
            !isSupported
              ? 'pdf.notHere'
              : !hasGivenUp
                ? 'pdf.notSet'
                : values
                  ? 'pdf.stoppedForm'
                  : 'pdf.stopped',
          );
    return (
      <div className={classes['live']}>
        {explanation && (
          <p className={classes['note']} role="status">
            {explanation}
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
      {showsReviewSwitches && (
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
      {isRestarting && (
        <p className={classes['note']} role="status">
          {t('pdf.restarting')}
        </p>
      )}
      <PageViewer
        viewerRef={viewerRef}
        title={title}
        pageCount={layout?.pages.length}
        maxPageWidth={layout ? Math.max(...layout.pages.map(({ width }) => width), 1) : undefined}
        isBusy={!layout}
        picture={picture}
        smallPicture={smallPicture}
        renderSheets={
          state && layout
            ? (scale) =>
                layout.pages.map((size, page) => (
                  <LiveSheet
                    key={page}
                    liveDocument={state.document}
                    subscribeToText={subscribeToText}
                    page={page}
                    pageCount={layout.pages.length}
                    size={size}
                    scale={scale}
                    lang={layout.language ?? lang}
                    picture={page === 0 ? picture : null}
                    valueAreas={valueAreas.get(page) ?? NO_AREAS}
                    activeIndex={activeIndex}
                    onFieldClick={onFieldClick && handleFieldClick}
                    onLinkClick={handleLinkClick}
                  />
                ))
            : undefined
        }
      />
    </div>
  );
}

const NO_AREAS: ValueArea[] = [];
const NO_DERIVED_VALUES: Record<string, DerivedValue> = {};

function groupByPage(layout: LaidOutPages | null): Map<number, ValueArea[]> {
  const pages = new Map<number, ValueArea[]>();
  for (const area of layout?.blanks ?? []) pages.set(area.page, [...(pages.get(area.page) ?? []), area]);
  return pages;
}

/** Scrolls to the first value of the active field, unless one of its values is visible. */
function useScrollToActiveField(
  viewerRef: React.RefObject<HTMLDivElement | null>,
  layout: LaidOutPages | null,
  activeIndex: number,
) {
  useEffect(() => {
    const element = viewerRef.current;
    if (!element || !layout || activeIndex < 0) return;
    const areas = layout.blanks.filter(({ field }) => field === activeIndex);
    const visibleArea = element.getBoundingClientRect();
    const isVisible = areas.some((area) => {
      const top = positionInWindow(element, area.page, area.y, layout);
      const scale = sheetScale(element, area.page, layout);
      return top !== null && top >= visibleArea.top && top + area.height * scale <= visibleArea.bottom;
    });
    const [first] = areas;
    if (!isVisible && first)
      scrollToPosition(element, first.page, first.y + first.height / 2, 'center', layout);
  }, [viewerRef, layout, activeIndex]);
}

function findSheet(viewer: HTMLElement, page: number): Element | null {
  return viewer.querySelector(`[data-page="${page}"]`);
}

function sheetScale(viewer: HTMLElement, page: number, layout: LaidOutPages): number {
  const height = layout.pages[page]?.height ?? 1;
  return (findSheet(viewer, page)?.getBoundingClientRect().height ?? 0) / height;
}

/** Returns the vertical position in the window of `y` on a page; null if the page is not shown. */
function positionInWindow(viewer: HTMLElement, page: number, y: number, layout: LaidOutPages): number | null {
  const sheet = findSheet(viewer, page);
  return sheet ? sheet.getBoundingClientRect().top + y * sheetScale(viewer, page, layout) : null;
}

/** Scrolls the viewer, but not the window, to `y` on a page. */
function scrollToPosition(
  viewer: HTMLElement | null,
  page: number,
  y: number,
  alignment: 'start' | 'center',
  layout: LaidOutPages,
): void {
  const top = viewer && positionInWindow(viewer, page, y, layout);
  if (!viewer || top === null) return;
  const offset = alignment === 'start' ? 24 : viewer.clientHeight / 2;
  viewer.scrollTop += top - viewer.getBoundingClientRect().top - offset;
}
