import { multipartForm, patchTemplate, postForm, putMyTemplate } from '@/api/client';
import type {
  CheckForm,
  FileForm,
  MyTemplateForm,
  MyTemplateUpdateForm,
  Template,
  UpdateForm,
} from '@/api/types';

import { sendWithFile, withUploadProgress, type FilePart } from './sendWithFile';
import type { TemplateArea } from './templateArea';

interface SendOptions {
  /** Called with the fraction that was sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal?: AbortSignal;
}

/** The parts of a form except its file. A missing part is undefined. */
type TextParts<Form> = { [Name in Exclude<keyof Form, 'file' | 'upload' | 'blank'>]?: string | undefined };

/** Checks a file on the server, which stores nothing. */
export function sendCheck(area: TemplateArea, file: File, texts: TextParts<CheckForm>, options: SendOptions) {
  const path = area === 'own' ? '/api/v1/my-templates/check' : '/api/v1/documents/check';
  return sendWithFile(area, file, options, (part) =>
    postForm(path, multipartForm<CheckForm>({ ...texts, ...part }), withUploadProgress(part, options)),
  );
}

/** Publishes a new template, or saves a private one. A repetition with the same idempotency key has no second effect. */
export function sendNewTemplate(
  area: TemplateArea,
  file: File,
  texts: TextParts<FileForm>,
  options: SendOptions & { idempotencyKey: string },
): Promise<{ document: Template }> {
  return sendWithFile(area, file, options, (part) => {
    const progress = withUploadProgress(part, options);
    if (area === 'catalogue')
      return postForm('/api/v1/documents/file', multipartForm<FileForm>({ ...texts, ...part }), progress);
    return postForm(
      '/api/v1/my-templates',
      multipartForm<MyTemplateForm>({ ...withoutCatalogueParts(texts), ...part }),
      progress,
    );
  });
}

/** Changes a template. Without a file it keeps its own. */
export function sendTemplateChange(
  area: TemplateArea,
  id: string,
  file: File | null,
  texts: { [Name in Exclude<keyof UpdateForm, 'file' | 'upload'>]?: string | undefined },
  options: SendOptions & { idempotencyKey: string },
): Promise<{ document: Template }> {
  const send = (part: FilePart | Record<string, never>) => {
    const progress = withUploadProgress(part, options);
    return area === 'catalogue'
      ? patchTemplate(id, multipartForm<UpdateForm>({ ...texts, ...part }), progress)
      : putMyTemplate(
          id,
          multipartForm<MyTemplateUpdateForm>({ ...withoutCatalogueParts(texts), ...part }),
          progress,
        );
  };
  return file ? sendWithFile(area, file, options, send) : send({});
}

/** Returns the parts of a form without those that only templates of the catalogue have. */
function withoutCatalogueParts<Parts extends object>(parts: Parts) {
  return { ...parts, categories: undefined, keywords: undefined };
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
