import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { PageViewer } from '@/shared/pages/PageViewer';
import { Failure } from '@/shared/ui/Failure';

import { PdfPage } from './PdfPage';
import { usePdf } from './usePdf';

interface PdfPagesProps {
  /** The PDF; undefined while it is loading. */
  data: Uint8Array<ArrayBuffer> | undefined;
  title: string;
  /** The document's language (BCP 47), for screen readers. */
  lang?: string | undefined;
  /** The first page as a small picture, shown until the pages are ready. */
  picture?: string | null | undefined;
  /** A smaller picture that a list has already loaded, shown until `picture` has loaded. */
  smallPicture?: string | null | undefined;
}

/** The pages of a PDF. */
export function PdfPages({ data, title, lang, picture, smallPicture }: PdfPagesProps) {
  const { t } = useTranslation();
  const viewerRef = useRef<HTMLDivElement>(null);
  const { sizes, pdf, hasFailed, retry } = usePdf(data);
  const isReady = pdf && sizes && !hasFailed;
  return (
    <PageViewer
      viewerRef={viewerRef}
      title={title}
      pageSizes={sizes ?? undefined}
      isBusy={!isReady && !hasFailed}
      picture={picture}
      smallPicture={smallPicture}
      renderSheets={
        isReady
          ? (scale, isPrinting) =>
              sizes.map((size, index) => (
                <PdfPage
                  key={index}
                  pdf={pdf}
                  pageNumber={index + 1}
                  pageCount={sizes.length}
                  lang={lang}
                  scale={scale}
                  isPrinting={isPrinting}
                  size={size}
                  picture={index === 0 ? picture : null}
                />
              ))
          : undefined
      }
    >
      {hasFailed ? <Failure title={t('pdf.failed')} onRetry={retry} /> : undefined}
    </PageViewer>
  );
}
