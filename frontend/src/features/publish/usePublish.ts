import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { formOf, upload, uploadChange } from '@/api/client';
import type { Document, FileForm, SaidHelp, UpdateForm } from '@/api/types';

import { listToSend } from './categories';
import { progressOf, withFile, type FilePart } from './templateFile';

export interface Template {
  title: string;
  /** Null in an edit that keeps the file. */
  file: File | null;
  categories: string;
  keywords: string;
  language: string | null;
  country: string | null;
}

/** The data to send, and the revision of the template that is edited. */
export interface Sent extends Template {
  edited: Pick<Document, '_id' | 'revision'> | null;
  /** The new name of each renamed field, by its old name. */
  renamed: Record<string, string>;
  /** All overrides of field settings; null keeps the current ones. */
  help: SaidHelp[] | null;
}

/** Publishes or changes a template. `sent` is the fraction that was sent; after 1 the server lays out the pages. */
export function usePublish(onDone: () => void) {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  /** One idempotency key per content: pressing the button again after a lost response has no second effect. */
  const attempt = useRef<{ content: string; key: string }>(undefined);

  const mutation = useMutation({
    mutationFn: async ({ file, edited, renamed, help, ...template }: Sent) => {
      const texts = {
        title: template.title.trim(),
        categories: listToSend(template.categories),
        keywords: listToSend(template.keywords),
        language: template.language ?? '',
        country: template.country ?? '',
      };
      const content = JSON.stringify([
        texts,
        edited,
        renamed,
        help,
        file?.name,
        file?.size,
        file?.lastModified,
      ]);
      if (attempt.current?.content !== content) attempt.current = { content, key: crypto.randomUUID() };
      setSent(0);
      const fieldHelp = help ? JSON.stringify(help) : undefined;
      const sending = { onProgress: setSent, idempotencyKey: attempt.current.key };
      const send = (part: FilePart | Record<string, never>) => {
        const progress = progressOf(part, sending);
        if (!edited)
          return upload(
            '/api/v1/documents/file',
            formOf<FileForm>({ ...texts, ...part, fieldHelp }),
            progress,
          );
        const form = formOf<UpdateForm>({
          ...texts,
          ...part,
          fieldHelp,
          revision: String(edited.revision),
          renamed: file ? JSON.stringify(renamed) : undefined,
        });
        return uploadChange(edited._id, form, progress);
      };
      return file ? withFile(file, sending, send) : send({});
    },
    onSuccess: async ({ document }) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['documents'] }),
        queries.invalidateQueries({ queryKey: ['categories'] }),
        queries.invalidateQueries({ queryKey: ['document', document._id] }),
      ]);
      onDone();
    },
  });
  return { ...mutation, sent };
}
