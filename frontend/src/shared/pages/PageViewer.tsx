import { ActionIcon, Skeleton } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';

import { createIcon, MinusIcon, PlusIcon, WidthIcon } from '@/shared/ui/icons';

import type { PageSize } from './messages';
import classes from './PageViewer.module.css';
import { usePrinting } from './usePrinting';

/** The natural width of A4 on screens: 210 mm at 96 dpi. */
const NATURAL_WIDTH_PX = 794;
const PrintIcon = createIcon(
  <path d="M7 8V3h10v5M7 17H4a1 1 0 0 1-1-1v-6a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v6a1 1 0 0 1-1 1h-3M7 14h10v7H7z" />,
);
const ZOOM_LEVELS = [0.5, 0.75, 1, 1.25, 1.5, 2];

interface PageViewerProps {
  viewerRef: RefObject<HTMLDivElement | null>;
  title: string;
  /** The sizes of the pages in points; undefined while unknown. */
  pageSizes: readonly PageSize[] | undefined;
  isBusy: boolean;
  /**
   * Renders the sheets with `scale` CSS pixels per point; undefined until they are ready. If `isPrinting` is true, all
   * sheets are drawn, in the resolution of paper.
   */
  renderSheets: ((scale: number, isPrinting: boolean) => ReactNode) | undefined;
  /** The content to show if there are no sheets, such as an error. */
  children?: ReactNode;
  /** The first page as a small picture, shown until the sheets are ready. */
  picture?: string | null | undefined;
  /** A smaller picture that a list has already loaded, shown until `picture` has loaded. */
  smallPicture?: string | null | undefined;
}

/**
 * The pages of a document on a background of at most 70 % of the window's height (specification §9), with zoom and
 * the current page number. A form gives them more of a large window.
 */
export function PageViewer(props: PageViewerProps) {
  const { viewerRef, title, pageSizes, isBusy, renderSheets, children, picture, smallPicture } = props;
  const { t } = useTranslation();
  const [width, setWidth] = useState(0);
  const [zoom, setZoom] = useState<number | 'width'>(1);
  const [page, setPage] = useState(1);
  const pageCount = pageSizes?.length;
  const maxPageWidth = pageSizes ? Math.max(...pageSizes.map((size) => size.width), 1) : undefined;
  const { isPrinting, print } = usePrinting(viewerRef, pageCount, pageSizes?.[0]);

  useEffect(() => {
    const element = viewerRef.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewerRef]);

  const availableWidth = zoom === 'width' ? width : Math.min(width, NATURAL_WIDTH_PX) * zoom;
  const scale = maxPageWidth && width > 0 ? availableWidth / maxPageWidth : undefined;

  // Keeps the visible part in place when the scale changes.
  const previousScale = useRef(scale);
  useLayoutEffect(() => {
    const element = viewerRef.current;
    if (element && previousScale.current && scale && previousScale.current !== scale)
      element.scrollTo({ top: (element.scrollTop * scale) / previousScale.current, behavior: 'instant' });
    previousScale.current = scale;
  }, [viewerRef, scale]);

  useEffect(() => {
    const element = viewerRef.current;
    if (!element || !pageCount) return undefined;
    let frame = 0;
    const updatePage = () => {
      frame = 0;
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
      const sheets = [...element.querySelectorAll('[role=group]')];
      const above = sheets.filter((sheet) => sheet.getBoundingClientRect().top <= middle).length;
      setPage(Math.min(Math.max(above, 1), pageCount));
    };
    const onScroll = () => (frame ||= requestAnimationFrame(updatePage));
    element.addEventListener('scroll', onScroll, { passive: true });
    onScroll();
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', onScroll);
    };
  }, [viewerRef, pageCount, scale]);

  const changeZoom = (by: number) =>
    setZoom((now) => {
      const at = ZOOM_LEVELS.indexOf(now === 'width' ? 1 : now) + by;
      return ZOOM_LEVELS[Math.min(ZOOM_LEVELS.length - 1, Math.max(0, at))] ?? 1;
    });

  return (
    <div className={classes['frame']} data-printed>
      <div
        ref={viewerRef}
        className={classes['desk']}
        // A scrolling region must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={t('pdf.pages', { title })}
        aria-busy={isBusy}
        data-pages={pageCount}
      >
        {children ?? (
          <div className={classes['sheets']}>
            {renderSheets && scale ? (
              renderSheets(scale, isPrinting)
            ) : (
              <PagesPlaceholder picture={picture} smallPicture={smallPicture} />
            )}
          </div>
        )}
      </div>
      <p className={classes['incomplete']}>{t('pdf.printAgain')}</p>
      {scale && pageCount && (
        <div className={classes['controls']}>
          {' '}
          <div className={classes['zoom']}>
            <span className={classes['count']}>{t('pdf.page', { page, pages: pageCount })}</span>
            <ActionIcon variant="default" size="lg" aria-label={t('documentPages.print')} onClick={print}>
              <PrintIcon />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('pdf.fitWidth')}
              aria-pressed={zoom === 'width'}
              onClick={() => setZoom(zoom === 'width' ? 1 : 'width')}
            >
              <WidthIcon />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('pdf.zoomOut')}
              disabled={zoom === ZOOM_LEVELS[0]}
              onClick={() => changeZoom(-1)}
            >
              <MinusIcon />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('pdf.zoomIn')}
              disabled={zoom === ZOOM_LEVELS.at(-1)}
              onClick={() => changeZoom(1)}
            >
              <PlusIcon />
            </ActionIcon>
          </div>
        </div>
      )}
    </div>
  );
}

function PagesPlaceholder({ picture, smallPicture }: Pick<PageViewerProps, 'picture' | 'smallPicture'>) {
  if (!picture)
    return <Skeleton className={classes['waiting']} width={`min(100%, ${NATURAL_WIDTH_PX}px)`} radius={2} />;
  return (
    <img
      className={classes['picture']}
      src={picture}
      alt=""
      width={NATURAL_WIDTH_PX}
      {...(smallPicture ? { style: { backgroundImage: `url("${smallPicture}")` } } : {})}
    />
  );
}
