import { responseBody, api, putFile } from '@/api/client';
import { ApiError } from '@/api/error';
import { LIMITS } from '@/shared/settings';

import type { TemplateArea } from './templateArea';

/** A template's file as a form sends it: the file itself, or the id of an upload. */
export type FilePart = { file: File } | { upload: string };

/** The upload ids of files that were sent. Checking, previewing and publishing a file send it once. */
const uploadIds = new WeakMap<File, string>();

interface SendOptions {
  /** Called with the fraction that was sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Uploads a file that is too large for a form to its own URL. */
export async function uploadIfLarge(
  area: TemplateArea,
  file: File,
  { onProgress, signal }: SendOptions,
): Promise<FilePart> {
  if (file.size <= LIMITS.formBytes) return { file };
  const uploadId = uploadIds.get(file);
  if (uploadId) return { upload: uploadId };
  const path = area === 'own' ? '/api/v1/my-templates/upload' : '/api/v1/documents/upload';
  const call = api.POST(path, { body: { bytes: file.size }, ...(signal && { signal }) });
  const { upload, url, contentType } = await responseBody(call);
  await putFile(url, file.slice(0, file.size, contentType), { onProgress, ...(signal && { signal }) });
  uploadIds.set(file, upload);
  return { upload };
}

/** Returns options that report a form with an upload id as sent at once, because the file was sent before. */
export function withUploadProgress<Options extends { onProgress: (fraction: number) => void }>(
  part: FilePart | Record<string, never>,
  options: Options,
): Options {
  return 'upload' in part ? { ...options, onProgress: () => options.onProgress(1) } : options;
}

/**
 * Calls `send` with a file or its upload id. The server may delete an upload after a day; then the file is sent
 * again, once.
 */
export async function sendWithFile<Body>(
  area: TemplateArea,
  file: File,
  options: SendOptions,
  send: (part: FilePart) => Promise<Body>,
): Promise<Body> {
  const wasUploaded = uploadIds.has(file);
  try {
    return await send(await uploadIfLarge(area, file, options));
  } catch (error) {
    const isExpired = error instanceof ApiError && error.code === 'upload_not_found';
    if (isExpired) uploadIds.delete(file);
    if (!isExpired || !wasUploaded) throw error;
    return send(await uploadIfLarge(area, file, options));
  }
}
