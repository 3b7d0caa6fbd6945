import { ApiError } from '@/api/error';
import { bytesOfBase64 } from '@/shared/base64';

export const PDF_TYPE = 'application/pdf';
export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Returns the bytes of a file in a response. A file is sent as base64, or above 4 MB as a signed link. */
export async function fileBytes(
  base64: string | null | undefined,
  url: string | null | undefined,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (base64) return bytesOfBase64(base64);
  if (!url) throw new ApiError(0, { code: 'unknown', message: 'The answer carries no file.' });
  let response: Response;
  try {
    response = await fetch(url, { signal: signal ?? null });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiError.network();
  }
  throw new ApiError(response.status, { code: 'unavailable', message: `HTTP ${response.status}` });
}

/** The lifetime of a blob URL after it was passed to another tab or a download, in milliseconds. */
const BLOB_LIFETIME_MS = 600_000;

function blobUrl(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): string {
  const url = URL.createObjectURL(new File([bytes], name, { type }));
  setTimeout(() => URL.revokeObjectURL(url), BLOB_LIFETIME_MS);
  return url;
}

/** Saves `bytes` as a file with the name `name`. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): void {
  const link = document.createElement('a');
  link.href = blobUrl(bytes, name, type);
  link.download = name;
  link.click();
}

/** Opens a PDF in a new tab. Returns false if the browser shows no PDFs or blocks the tab. */
function openInTab(bytes: Uint8Array<ArrayBuffer>, name: string): boolean {
  const tab = navigator.pdfViewerEnabled ? window.open('', '_blank') : null;
  if (!tab) return false;
  tab.opener = null;
  tab.location.href = blobUrl(bytes, name, PDF_TYPE);
  return true;
}

/**
 * Shows a PDF in a tab that the click itself opens, because a later one would be blocked. If that fails, the PDF is
 * saved.
 */
export function showPdf(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  if (!openInTab(bytes, name)) saveFile(bytes, name, PDF_TYPE);
}

/**
 * Shows a PDF in a tab and saves it, because a tab with a blob URL does not know the file name. If the browser
 * shows no PDFs or blocks the tab, it is only saved.
 */
export function showAndSavePdf(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  openInTab(bytes, name);
  saveFile(bytes, name, PDF_TYPE);
}
