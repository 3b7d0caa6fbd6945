import { answerOf, api, put } from '@/api/client';
import { ApiError } from '@/api/error';
import { LIMITS } from '@/shared/settings';

/** How a form brings a template's file: in itself, or by the name of an upload. */
export type FilePart = { file: File } | { upload: string };

/** What each file is called where it was sent to. Those who check a file, try it out and publish it send it once. */
const sent = new WeakMap<File, string>();

/** Sends a file that is too large for a form to an address of its own; `onProgress` is told the fraction. */
export async function filePart(
  file: File,
  { onProgress, signal }: { onProgress: (fraction: number) => void; signal?: AbortSignal },
): Promise<FilePart> {
  if (file.size <= LIMITS.formBytes) return { file };
  const known = sent.get(file);
  if (known) return { upload: known };
  const asked = api.POST('/api/v1/documents/upload', {
    body: { bytes: file.size },
    ...(signal && { signal }),
  });
  const { upload, url, contentType } = await answerOf(asked);
  await put(url, file.slice(0, file.size, contentType), { onProgress, ...(signal && { signal }) });
  sent.set(file, upload);
  return { upload };
}

/** A form that names an upload is sent at once: what took time was the upload. */
export function progressOf<Sending extends { onProgress: (fraction: number) => void }>(
  part: FilePart | Record<string, never>,
  sending: Sending,
): Sending {
  return 'upload' in part ? { ...sending, onProgress: () => sending.onProgress(1) } : sending;
}

/** What was sent may be gone after a day: then it is sent again, once. */
export async function withFile<Answer>(
  file: File,
  sending: { onProgress: (fraction: number) => void; signal?: AbortSignal },
  call: (part: FilePart) => Promise<Answer>,
): Promise<Answer> {
  const again = sent.has(file);
  try {
    return await call(await filePart(file, sending));
  } catch (error) {
    const gone = error instanceof ApiError && error.code === 'upload_not_found';
    if (gone) sent.delete(file);
    if (!gone || !again) throw error;
    return call(await filePart(file, sending));
  }
}
