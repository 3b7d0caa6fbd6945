import { bytesOfBase64 } from '@/shared/base64';

export const PDF = 'application/pdf';
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A file of an answer: inline as base64, or past 4 MB behind a signed link. */
export async function fileOf(
  inline: string | null | undefined,
  link: string | null | undefined,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (inline) return bytesOfBase64(inline);
  if (!link) throw new Error('The answer carries no file.');
  const answer = await fetch(link, { signal });
  if (!answer.ok) throw new Error(`The file's link answered ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** A file name of a title: what no file system takes becomes a space. */
export function fileName(title: string, extension: string): string {
  const name = title
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return `${[...name].slice(0, 120).join('') || 'document'}.${extension}`;
}

/** Opens a file in a new tab; it must be called by a click, or the browser takes it for a pop-up. */
export function openInTab(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): void {
  const url = URL.createObjectURL(new File([bytes], name, { type }));
  const tab = window.open(url, '_blank');
  // Where tabs are forbidden the file is saved instead.
  if (!tab) save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function download(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
