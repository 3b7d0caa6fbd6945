import { ActionIcon, Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Failure } from '@/shared/ui/Failure';
import { MinusIcon, PlusIcon } from '@/shared/ui/icons';

import classes from './PdfPages.module.css';
import { PdfPage } from './PdfPage';
import { usePdf } from './usePdf';

interface PdfPagesProps {
  /** The PDF; undefined while it is still being fetched. */
  data: Uint8Array<ArrayBuffer> | undefined;
  title: string;
  /** BCP 47 of the document, for screen readers. */
  lang?: string | undefined;
  /** Its first page as a small picture: it stands in the place of the pages until they are there. */
  picture?: string | null | undefined;
  /** The same as a list has shown it, where it has: until even the picture is there. */
  smallPicture?: string | null | undefined;
}

/** A page of A4 at its natural size on screens: 210 mm at 96 dots an inch. */
const NATURAL_WIDTH_PX = 794;
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** The pages of a PDF as sheets on a quiet desk, at most 70 % of the window's height (specification §9). */
export function PdfPages({ data, title, lang, picture, smallPicture }: PdfPagesProps) {
  const { t } = useTranslation();
  const desk = useRef<HTMLDivElement>(null);
  const [deskWidth, setDeskWidth] = useState(0);
  const [zoom, setZoom] = useState(1);
  const { sizes, pdf, failed, retry } = usePdf(data);

  useEffect(() => {
    const element = desk.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setDeskWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const step = (by: number) =>
    setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, ZOOMS.indexOf(zoom) + by))] ?? 1);
  const widest = Math.max(...(sizes ?? []).map((size) => size.width), 1);
  const fitted = Math.min(deskWidth, NATURAL_WIDTH_PX);
  const ready = pdf && sizes && deskWidth > 0;

  return (
    <div className={classes['frame']}>
      <div
        ref={desk}
        className={classes['desk']}
        // A region that scrolls must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={t('pdf.pages', { title })}
        aria-busy={!ready && !failed}
        data-pages={sizes?.length}
      >
        {failed ? (
          <Failure title={t('pdf.failed')} onRetry={retry} />
        ) : ready ? (
          <div className={classes['sheets']}>
            {sizes.map((size, index) => (
              <PdfPage
                key={index}
                pdf={pdf}
                number={index + 1}
                of={sizes.length}
                lang={lang}
                scale={(fitted * zoom) / widest}
                size={size}
                picture={index === 0 ? picture : null}
              />
            ))}
          </div>
        ) : (
          <div className={classes['sheets']}>
            {picture ? (
              <img
                className={classes['picture']}
                src={picture}
                alt=""
                width={NATURAL_WIDTH_PX}
                {...(smallPicture ? { style: { backgroundImage: `url("${smallPicture}")` } } : {})}
              />
            ) : (
              <Skeleton className={classes['waiting']} width="min(100%, 794px)" radius={2} />
            )}
          </div>
        )}
      </div>
      {ready && (
        <div className={classes['zoom']}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('pdf.zoomOut')}
            disabled={zoom === ZOOMS[0]}
            onClick={() => step(-1)}
          >
            <MinusIcon />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('pdf.zoomIn')}
            disabled={zoom === ZOOMS.at(-1)}
            onClick={() => step(1)}
          >
            <PlusIcon />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}
