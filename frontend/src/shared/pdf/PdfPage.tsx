import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './PdfPages.module.css';
import type { PDFDocumentProxy, RenderTask } from './pdfjs';
import type { PageSize } from './usePdf';

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  /** The page number, from 1. */
  number: number;
  of: number;
  size: PageSize;
  /** CSS pixels per point. */
  scale: number;
  lang?: string | undefined;
  /** The page as a small picture, shown until it is drawn. */
  picture?: string | null | undefined;
}

/** A sheet that is drawn when it comes near the window, with its text on top for selection and screen readers. */
export function PdfPage({ pdf, number, of, size, scale, lang, picture }: PdfPageProps) {
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(number === 1);
  const [drawn, setDrawn] = useState(false);

  useEffect(() => {
    const element = sheet.current;
    if (!element || near) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '800px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);

  useEffect(() => {
    const element = sheet.current;
    const canvas = element?.querySelector('canvas');
    const text = element?.querySelector<HTMLElement>('.textLayer');
    if (!near || !canvas || !text) return undefined;
    let left = false;
    let task: RenderTask | undefined;
    const draw = async () => {
      const { TextLayer } = await import('./pdfjs');
      const page = await pdf.getPage(number);
      if (left) return;
      const viewport = page.getViewport({ scale });
      const density = Math.min(window.devicePixelRatio || 1, 3);
      canvas.width = Math.floor(viewport.width * density);
      canvas.height = Math.floor(viewport.height * density);
      task = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
      await task.promise;
      if (left) return;
      setDrawn(true);
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
      left = true;
      task?.cancel();
    };
  }, [pdf, number, scale, near]);

  return (
    <div
      ref={sheet}
      className={classes['sheet']}
      style={
        {
          width: size.width * scale,
          height: size.height * scale,
          '--total-scale-factor': scale,
          '--scale-factor': scale,
          ...(picture && !drawn ? { backgroundImage: `url("${picture}")` } : {}),
        } as React.CSSProperties
      }
      role="group"
      aria-label={t('pdf.page', { page: number, pages: of })}
      data-drawn={drawn || undefined}
    >
      <canvas aria-hidden="true" />
      <div className="textLayer" lang={lang} />
    </div>
  );
}
