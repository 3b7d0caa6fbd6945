import { memo, useEffect, useRef, useState, type CSSProperties, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { isActiveArea, type ActiveValue } from './activeValue';
import type { LiveDocument } from './client';
import type { ValueArea, PageSize, PageText } from './messages';
import deskClasses from './PageViewer.module.css';
import classes from './Pages.module.css';
import { ProblemMarkers, type ProblemMarker } from './ProblemMarkers';
import { pixelsPerCssPixel } from './resolution';
import { TextLayer } from './TextLayer';
import type { SubscribeToPageText } from './useLiveDocument';

interface LiveSheetProps {
  liveDocument: LiveDocument;
  subscribeToText: SubscribeToPageText;
  /** The page index, from 0. */
  page: number;
  pageCount: number;
  size: PageSize;
  /** CSS pixels per point. */
  scale: number;
  /** True to draw the page wherever it is, in the resolution of paper. */
  isPrinting: boolean;
  lang: string | undefined;
  /** The page as a small picture, shown until it is drawn. */
  picture: string | null | undefined;
  valueAreas: ValueArea[];
  activeValue: ActiveValue | null;
  /** The indexes of the fields that are only suggested. */
  suggestedFields: ReadonlySet<number>;
  /** For each field with a problem, by index: true if it is an error, false if it is a note. */
  problemFields: ReadonlyMap<number, boolean>;
  markers: readonly ProblemMarker[];
  /** True if the lines of the document begin at the right. */
  rightToLeft: boolean;
  onProblemClick: (id: string) => void;
  onFieldClick: ((area: ValueArea) => void) | undefined;
  onLinkClick: (destination: string) => void;
}

/** The distance from the window within which pages are drawn. */
const NEAR_MARGIN = '800px';
/** The margin around a value that also reacts to clicks, in points. */
const CLICK_MARGIN_PT = 3;
/** The minimum width of the area of a value, in points. An empty value has no width. */
const MIN_WIDTH_PT = 8;

/** A sheet that the worker draws while it is near the window, with its text on top. */
export const LiveSheet = memo(function LiveSheet(props: LiveSheetProps) {
  const {
    liveDocument,
    subscribeToText,
    page,
    pageCount,
    size,
    scale,
    isPrinting,
    lang,
    picture,
    valueAreas,
    activeValue,
    suggestedFields,
    problemFields,
    markers,
    rightToLeft,
    onProblemClick,
    onFieldClick,
    onLinkClick,
  } = props;
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  // The first page is always drawn, because the pages begin with it.
  const [isIntersecting, setIntersecting] = useState(false);
  const isNear = page === 0 || isIntersecting || isPrinting;
  /** True when the page is drawn for paper. */
  const [isPrintable, setPrintable] = useState(false);
  const [text, setText] = useState<PageText | null>(null);
  const drawnPage = useRef<ReturnType<LiveDocument['showPage']>>(undefined);
  const pixelsPerPoint = useRef(0);

  useEffect(() => {
    const element = sheet.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => setIntersecting(entry?.isIntersecting ?? false), {
      rootMargin: NEAR_MARGIN,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    pixelsPerPoint.current = scale * pixelsPerCssPixel(isPrinting);
    drawnPage.current?.setScale(pixelsPerPoint.current);
  }, [scale, isPrinting]);

  useEffect(() => {
    const element = sheet.current;
    if (!isNear || !element) return undefined;
    // Control of a canvas can be transferred only once, so each attachment has its own canvas.
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    element.prepend(canvas);
    const attached = liveDocument.showPage(page, canvas, pixelsPerPoint.current);
    drawnPage.current = attached;
    // The text of an earlier drawing is passed at once; a later one says that this canvas is drawn.
    let isSubscribed = false;
    const stop = subscribeToText(page, (drawnText) => {
      setText(drawnText);
      if (isSubscribed) setPrintable(isPrinting);
    });
    isSubscribed = true;
    return () => {
      stop();
      attached.detach();
      drawnPage.current = undefined;
      canvas.remove();
      setPrintable(false);
    };
  }, [liveDocument, subscribeToText, page, isNear, isPrinting]);

  const handleClick = (event: MouseEvent<HTMLDivElement>) => {
    if (!onFieldClick || document.getSelection()?.isCollapsed === false) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
    const clicked = valueAreas.find(
      (area) =>
        x >= area.x - CLICK_MARGIN_PT &&
        x <= area.x + Math.max(area.width, MIN_WIDTH_PT) + CLICK_MARGIN_PT &&
        y >= area.y &&
        y <= area.y + area.height,
    );
    if (clicked) onFieldClick(clicked);
  };

  return (
    <div
      ref={sheet}
      className={deskClasses['sheet']}
      style={
        {
          width: size.width * scale,
          height: size.height * scale,
          '--page-width': `${size.width}pt`,
          '--page-height': `${size.height}pt`,
          ...(picture && !text ? { backgroundImage: `url("${picture}")` } : {}),
        } as CSSProperties
      }
      role="group"
      aria-label={t('pdf.page', { page: page + 1, pages: pageCount })}
      data-drawn={text ? true : undefined}
      data-printable={isPrintable || undefined}
      data-page={page}
      onClick={handleClick}
    >
      <div className={classes['layer']} style={{ transform: `scale(${scale})` }}>
        {isNear &&
          onFieldClick &&
          valueAreas.map((area, index) => (
            <div
              key={index}
              className={classes['blank']}
              data-field={area.field}
              data-row={area.rows?.join('.')}
              data-suggested={suggestedFields.has(area.field) || undefined}
              data-problem={problemKind(problemFields.get(area.field))}
              data-active={isActiveArea(area, activeValue) ?? undefined}
              style={{
                left: area.x,
                top: area.y,
                width: Math.max(area.width, MIN_WIDTH_PT),
                height: area.height,
              }}
            />
          ))}
      </div>
      <div className={`${classes['layer']} textLayer`} lang={lang} style={{ transform: `scale(${scale})` }}>
        {isNear && text && <TextLayer text={text} onLinkClick={onLinkClick} />}
      </div>
      <ProblemMarkers markers={markers} scale={scale} rightToLeft={rightToLeft} onClick={onProblemClick} />
    </div>
  );
});

function problemKind(isError: boolean | undefined): 'error' | 'note' | undefined {
  return isError === undefined ? undefined : isError ? 'error' : 'note';
}
