import { answerOf, api, put } from '@/api/client';
import { ApiError } from '@/api/error';
import { LIMITS } from '@/shared/settings';

/** A template's file as a form sends it: the file itself, or the id of an upload. */
export type FilePart = { file: File } | { upload: string };

/** The upload ids of files that were sent. Checking, previewing and publishing a file send it once. */
const sent = new WeakMap<File, string>();

/** Uploads a file that is too large for a form to its own URL. `onProgress` gets the fraction. */
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

/** Reports a form that names an upload as complete at once, because only the upload took time. */
export function progressOf<Sending extends { onProgress: (fraction: number) => void }>(
  part: FilePart | Record<string, never>,
  sending: Sending,
): Sending {
  return 'upload' in part ? { ...sending, onProgress: () => sending.onProgress(1) } : sending;
}

/** An upload may be deleted after a day; then the file is sent again, once. */
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
