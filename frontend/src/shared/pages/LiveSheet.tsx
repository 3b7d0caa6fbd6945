import { memo, useEffect, useRef, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

import type { LiveDocument } from './client';
import type { ValueArea, PageSize, PageText } from './messages';
import deskClasses from './PageViewer.module.css';
import classes from './Pages.module.css';
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
  lang: string | undefined;
  /** The page as a small picture, shown until it is drawn. */
  picture: string | null | undefined;
  valueAreas: ValueArea[];
  /** The index of the active field; -1 for none. */
  activeIndex: number;
  onFieldClick: ((field: number) => void) | undefined;
  onLinkClick: (destination: string) => void;
}

/** The distance from the window within which pages are drawn. */
const NEAR_MARGIN = '800px';
const MAX_PIXEL_RATIO = 3;
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
    lang,
    picture,
    valueAreas,
    activeIndex,
    onFieldClick,
    onLinkClick,
  } = props;
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  // The first page is always drawn, because the pages begin with it.
  const [isIntersecting, setIntersecting] = useState(false);
  const isNear = page === 0 || isIntersecting;
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
    pixelsPerPoint.current = scale * Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    drawnPage.current?.setScale(pixelsPerPoint.current);
  }, [scale]);

  useEffect(() => {
    const element = sheet.current;
    if (!isNear || !element) return undefined;
    // Control of a canvas can be transferred only once, so each attachment has its own canvas.
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    element.prepend(canvas);
    const attached = liveDocument.showPage(page, canvas, pixelsPerPoint.current);
    drawnPage.current = attached;
    const stop = subscribeToText(page, setText);
    return () => {
      stop();
      attached.detach();
      drawnPage.current = undefined;
      canvas.remove();
    };
  }, [liveDocument, subscribeToText, page, isNear]);

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
    if (clicked) onFieldClick(clicked.field);
  };

  return (
    <div
      ref={sheet}
      className={deskClasses['sheet']}
      style={{
        width: size.width * scale,
        height: size.height * scale,
        ...(picture && !text ? { backgroundImage: `url("${picture}")` } : {}),
      }}
      role="group"
      aria-label={t('pdf.page', { page: page + 1, pages: pageCount })}
      data-drawn={text ? true : undefined}
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
              data-active={area.field === activeIndex || undefined}
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
    </div>
  );
});
