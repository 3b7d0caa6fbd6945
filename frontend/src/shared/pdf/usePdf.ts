import { useEffect, useState } from 'react';

import type { PDFDocumentProxy } from './pdfjs';

/** The width and height of a page in points. */
export interface PageSize {
  width: number;
  height: number;
}

interface PdfState {
  pdf?: PDFDocumentProxy;
  sizes?: PageSize[];
  hasFailed?: boolean;
}

/** Opens a PDF and measures its pages. The reader is loaded at its first use. */
export function usePdf(data: Uint8Array<ArrayBuffer> | undefined) {
  const [state, setState] = useState<PdfState>({});
  const [attempts, setAttempt] = useState(0);

  useEffect(() => {
    if (!data) return undefined;
    let isCancelled = false;
    let close: (() => void) | undefined;
    const open = async () => {
      const { getDocument } = await import('./pdfjs');
      if (isCancelled) return;
      // The worker gets a copy, because it takes ownership of the bytes.
      const task = getDocument({ data: data.slice(), useWasm: false, enableXfa: false });
      close = () => void task.destroy();
      const pdf = await task.promise;
      const sizes: PageSize[] = [];
      for (let number = 1; number <= pdf.numPages; number += 1) {
        const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
        sizes.push({ width, height });
      }
      if (!isCancelled) setState({ pdf, sizes });
    };
    open().catch(() => {
      if (!isCancelled) setState({ hasFailed: true });
    });
    return () => {
      isCancelled = true;
      setState({});
      close?.();
    };
  }, [data, attempts]);

  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
