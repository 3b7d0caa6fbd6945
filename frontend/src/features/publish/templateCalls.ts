import { multipartForm, postForm } from '@/api/client';
import type { CheckForm, FileForm } from '@/api/types';

import { sendWithFile, withUploadProgress } from './sendWithFile';

interface SendOptions {
  /** Called with the fraction that was sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal?: AbortSignal;
}

/** The parts of a form except its file. A missing part is undefined. */
type TextParts<Form> = { [Name in Exclude<keyof Form, 'file' | 'upload' | 'blank'>]?: string | undefined };

/** Checks a file on the server, which stores nothing. */
export function sendCheck(file: File, texts: TextParts<CheckForm>, options: SendOptions) {
  return sendWithFile(file, options, (part) =>
    postForm(
      '/api/v1/documents/check',
      multipartForm<CheckForm>({ ...texts, ...part }),
      withUploadProgress(part, options),
    ),
  );
}

/** Publishes a new template. A repetition with the same idempotency key has no second effect. */
export function sendNewTemplate(
  file: File,
  texts: TextParts<FileForm>,
  options: SendOptions & { idempotencyKey: string },
) {
  return sendWithFile(file, options, (part) =>
    postForm(
      '/api/v1/documents/file',
      multipartForm<FileForm>({ ...texts, ...part }),
      withUploadProgress(part, options),
    ),
  );
}

/**
 * Returns a function that returns the idempotency key of a content: the same key as long as the content is the same, so
 * that an attempt after a lost response has no second effect.
 */
export function createAttemptKeys(): (content: unknown) => string {
  let last: { content: string; key: string } | undefined;
  return (content) => {
    const text = JSON.stringify(content);
    if (last?.content !== text) last = { content: text, key: crypto.randomUUID() };
    return last.key;
  };
}

/** Returns the properties of a file that tell it from another one without its content. */
export function fileIdentity(file: File | null): unknown {
  return file && [file.name, file.size, file.lastModified];
}
