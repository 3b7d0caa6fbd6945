import { Skeleton, Switch } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { formatPath, parsePath } from '@/shared/fields/paths';
import type { PictureSizes } from '@/shared/fields/pictureSizes';
import type { TemplateSections } from '@/shared/fields/sectionConditions';
import type { FieldValues, StructuredField } from '@/shared/fields/values';
import { useStableCallback } from '@/shared/ui/useStableCallback';

import { isActiveArea, type ActiveValue } from './activeValue';
import { PageViewer } from './PageViewer';
import { LiveSheet } from './LiveSheet';
import { problemMarkers, type PageProblem, type ProblemMarker } from './ProblemMarkers';
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
  /** The fields with their types. Without them the document suggests the types. */
  structure?: readonly StructuredField[] | undefined;
  /** The maximum sizes of pictures. */
  pictureSizes?: PictureSizes;
  /** The values of the fields. Without them the template is shown unfilled. */
  values?: FieldValues | undefined;
  /** The derivations of fields. */
  derivations?: TemplateDerivations | null;
  /** Called with the derived values whenever they change. */
  onDerived?: (derived: Record<string, DerivedValue>) => void;
  /** Called with the sections that fields lie in, once they are known and when others of their fields are printed. */
  onSections?: (sections: TemplateSections) => void;
  /** True if empty fields print nothing, false for a dotted line. */
  blank?: boolean;
  /** The time that the date fields of Word show; the current time by default. */
  documentTime?: string | undefined;
  /**
   * The active field, or the path of the active cell in a list: its values are marked on the pages, and one of them is
   * kept visible. The other values of the cell's row are marked too.
   */
  activeField?: string | null;
  /** The fields that are only suggested; the pages show them in another way. */
  suggestedFields?: ReadonlySet<string>;
  /** The problems to show at their places. */
  problems?: readonly PageProblem[];
  /** Called with the id of a problem whose icon is clicked. */
  onProblemClick?: (id: string) => void;
  /** Called with the path of a value that is clicked on a page. */
  onFieldClick?: (path: string) => void;
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
  const { docx, pdf, title, lang, country, picture, smallPicture, structure, values, derivations } = props;
  const { pictureSizes, blank, documentTime, activeField, suggestedFields, showsReviewSwitches } = props;
  const { problems = NO_PROBLEMS } = props;
  const { onDerived, onSections, onFieldClick, onUnsupported } = props;
  const { t } = useTranslation();
  const viewerRef = useRef<HTMLDivElement>(null);
  const [comments, setComments] = useState(false);
  const [changes, setChanges] = useState(false);
  const [now] = useState(() => Math.floor(Date.now() / 1000));
  const { isSupported, state, subscribeToText, isRestarting, hasGivenUp } = useLiveDocument(
    docx ?? undefined,
    structure,
    {
      values: values ?? null,
      derivations: derivations ?? null,
      pictureSizes: pictureSizes ?? NO_SIZES,
      blank: blank ?? false,
      now: documentTime ? Math.floor(Date.parse(documentTime) / 1000) : now,
      country: country ?? null,
      comments,
      changes,
    },
  );
  const layout = state?.layout ?? null;
  const valueAreas = useMemo(() => groupByPage(layout), [layout]);
  const activeValue = useActiveValue(activeField, state?.fields);
  useScrollToActiveField(viewerRef, layout, activeValue);
  const fieldNames = state?.fields;
  const suggestedIndexes = useMemo(
    () => new Set(fieldNames?.flatMap((name, index) => (suggestedFields?.has(name) ? [index] : []))),
    [fieldNames, suggestedFields],
  );
  const { markers, problemFields } = useProblemPlaces(problems, layout, fieldNames);
  const onProblemClick = useStableCallback((id: string) => props.onProblemClick?.(id));

  // After a crash the last derived values may be outdated, so none are shown.
  const derivedValues = hasGivenUp ? NO_DERIVED_VALUES : state?.derivedValues;
  const latestOnDerived = useRef(onDerived);
  useEffect(() => {
    latestOnDerived.current = onDerived;
  });
  useEffect(() => {
    if (derivedValues) latestOnDerived.current?.(derivedValues);
  }, [derivedValues]);

  const sections = useSections(state);
  const latestOnSections = useRef(onSections);
  useEffect(() => {
    latestOnSections.current = onSections;
  });
  useEffect(() => {
    if (sections) latestOnSections.current?.(sections);
  }, [sections]);

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
    ({ field, rows = [], columns = [] }: ValueArea) => {
      const name = fields?.[field];
      if (name !== undefined) latestOnFieldClick.current?.(formatPath({ field: name, rows, columns }));
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
    // Pages whose values react to clicks stand beside a form.
    const explanation =
      docx === null
        ? null
        : t(
            !isSupported
              ? onFieldClick
                ? 'pdf.notHereForm'
                : 'pdf.notHere'
              : !hasGivenUp
                ? 'pdf.notSet'
                : onFieldClick
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
        pageSizes={layout?.pages}
        isBusy={!layout}
        picture={picture}
        smallPicture={smallPicture}
        renderSheets={
          state && layout
            ? (scale, isPrinting) =>
                layout.pages.map((size, page) => (
                  <LiveSheet
                    key={page}
                    liveDocument={state.document}
                    subscribeToText={subscribeToText}
                    page={page}
                    pageCount={layout.pages.length}
                    size={size}
                    scale={scale}
                    isPrinting={isPrinting}
                    lang={layout.language ?? lang}
                    picture={page === 0 ? picture : null}
                    valueAreas={valueAreas.get(page) ?? NO_AREAS}
                    activeValue={activeValue}
                    suggestedFields={suggestedIndexes}
                    problemFields={problemFields}
                    markers={markers.get(page) ?? NO_MARKERS}
                    rightToLeft={layout.rightToLeft}
                    onProblemClick={onProblemClick}
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
const NO_PROBLEMS: PageProblem[] = [];
const NO_MARKERS: ProblemMarker[] = [];
const NO_SIZES: PictureSizes = {};
const NO_DERIVED_VALUES: Record<string, DerivedValue> = {};

function groupByPage(layout: LaidOutPages | null): Map<number, ValueArea[]> {
  const pages = new Map<number, ValueArea[]>();
  for (const area of layout?.blanks ?? []) pages.set(area.page, [...(pages.get(area.page) ?? []), area]);
  return pages;
}

/** Returns the sections of the document, and which of their fields its pages show. */
function useSections(state: ReturnType<typeof useLiveDocument>['state']): TemplateSections | null {
  const { conditions, fields, layout } = state ?? {};
  return useMemo(() => {
    if (!conditions || !fields || !layout) return null;
    const shown = new Set(layout.blanks.map(({ field }) => fields[field]));
    return { conditions, printed: Object.keys(conditions).filter((field) => shown.has(field)) };
  }, [conditions, fields, layout]);
}

/** Returns the icons of problems by page, and the fields with problems by index: true for an error, false for a note. */
function useProblemPlaces(
  problems: readonly PageProblem[],
  layout: LaidOutPages | null,
  fields: string[] | undefined,
) {
  return useMemo(() => {
    const problemFields = new Map<number, boolean>();
    fields?.forEach((name, index) => {
      const here = problems.filter((problem) => problem.fields.includes(name));
      if (here.length > 0)
        problemFields.set(
          index,
          here.some(({ isError }) => isError),
        );
    });
    return { markers: problemMarkers(problems, layout, fields ?? []), problemFields };
  }, [problems, layout, fields]);
}

/** Returns the active value with the index of its field; null if there is none in the document. */
function useActiveValue(path: string | null | undefined, fields: string[] | undefined): ActiveValue | null {
  return useMemo(() => {
    if (path == null || !fields) return null;
    const { field, rows, columns } = parsePath(path);
    const index = fields.indexOf(field);
    return index < 0 ? null : { field: index, rows, columns };
  }, [path, fields]);
}

/** Scrolls to the first area of the active value, unless one of its areas is visible. */
function useScrollToActiveField(
  viewerRef: React.RefObject<HTMLDivElement | null>,
  layout: LaidOutPages | null,
  activeValue: ActiveValue | null,
) {
  useEffect(() => {
    const element = viewerRef.current;
    if (!element || !layout || !activeValue) return;
    const ofCell = layout.blanks.filter((area) => isActiveArea(area, activeValue) === 'value');
    // A column that is not printed has no areas, but its row may have.
    const areas =
      ofCell.length > 0 ? ofCell : layout.blanks.filter((area) => isActiveArea(area, activeValue) === 'row');
    const visibleArea = element.getBoundingClientRect();
    const isVisible = areas.some((area) => {
      const top = positionInWindow(element, area.page, area.y, layout);
      const scale = sheetScale(element, area.page, layout);
      return top !== null && top >= visibleArea.top && top + area.height * scale <= visibleArea.bottom;
    });
    const [first] = areas;
    if (!isVisible && first)
      scrollToPosition(element, first.page, first.y + first.height / 2, 'center', layout);
  }, [viewerRef, layout, activeValue]);
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
