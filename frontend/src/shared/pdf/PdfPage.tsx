import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { pixelsPerCssPixel } from '@/shared/pages/resolution';

import classes from './PdfPages.module.css';
import type { PDFDocumentProxy, RenderTask } from './pdfjs';
import type { PageSize } from './usePdf';

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  /** The page number, from 1. */
  pageNumber: number;
  pageCount: number;
  size: PageSize;
  /** CSS pixels per point. */
  scale: number;
  /** True to draw the page wherever it is, in the resolution of paper. */
  isPrinting: boolean;
  lang?: string | undefined;
  /** The page as a small picture, shown until it is drawn. */
  picture?: string | null | undefined;
}

/** A sheet that is drawn when it comes near the window, with its text on top for selection and screen readers. */
export function PdfPage(props: PdfPageProps) {
  const { pdf, pageNumber, pageCount, size, scale, isPrinting, lang, picture } = props;
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  const [isIntersecting, setIntersecting] = useState(pageNumber === 1);
  const isNear = isIntersecting || isPrinting;
  const [isDrawn, setIsDrawn] = useState(false);
  /** True when the page is drawn for paper. */
  const [isPrintable, setPrintable] = useState(false);

  useEffect(() => {
    const element = sheet.current;
    if (!element || isIntersecting) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIntersecting(true), {
      rootMargin: '800px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isIntersecting]);

  useEffect(() => {
    const element = sheet.current;
    const canvas = element?.querySelector('canvas');
    const text = element?.querySelector<HTMLElement>('.textLayer');
    if (!isNear || !canvas || !text) return undefined;
    let isCancelled = false;
    let task: RenderTask | undefined;
    const draw = async () => {
      const { TextLayer } = await import('./pdfjs');
      const page = await pdf.getPage(pageNumber);
      if (isCancelled) return;
      const viewport = page.getViewport({ scale });
      const pixelRatio = pixelsPerCssPixel(isPrinting);
      canvas.width = Math.floor(viewport.width * pixelRatio);
      canvas.height = Math.floor(viewport.height * pixelRatio);
      task = page.render({ canvas, viewport, transform: [pixelRatio, 0, 0, pixelRatio, 0, 0] });
      await task.promise;
      if (isCancelled) return;
      setIsDrawn(true);
      setPrintable(isPrinting);
      text.replaceChildren();
      await new TextLayer({
        textContentSource: page.streamTextContent(),
        container: text,
        viewport,
      }).render();
    };
    // A drawing that is cancelled by a newer one rejects; that is not an error.
    draw().catch(() => undefined);
    return () => {
      isCancelled = true;
      task?.cancel();
      setPrintable(false);
    };
  }, [pdf, pageNumber, scale, isNear, isPrinting]);

  return (
    <div
      ref={sheet}
      className={classes['sheet']}
      style={
        {
          width: size.width * scale,
          height: size.height * scale,
          '--page-width': `${size.width}pt`,
          '--page-height': `${size.height}pt`,
          '--total-scale-factor': scale,
          '--scale-factor': scale,
          ...(picture && !isDrawn ? { backgroundImage: `url("${picture}")` } : {}),
        } as React.CSSProperties
      }
      role="group"
      aria-label={t('pdf.page', { page: pageNumber, pages: pageCount })}
      data-drawn={isDrawn || undefined}
      data-printable={isPrintable || undefined}
    >
      <canvas aria-hidden="true" />
      <div className="textLayer" lang={lang} />
    </div>
  );
}
