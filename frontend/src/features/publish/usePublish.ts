import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { formOf, upload, uploadChange } from '@/api/client';
import type { Document, FileForm, SaidHelp, UpdateForm } from '@/api/types';

import { listToSend } from './categories';
import { progressOf, withFile, type FilePart } from './templateFile';

export interface Template {
  title: string;
  /** Of an edit null: the file stays. */
  file: File | null;
  categories: string;
  keywords: string;
  language: string | null;
  country: string | null;
}

/** What is sent, and of which revision of which template it is an edit. */
export interface Sent extends Template {
  edited: Pick<Document, '_id' | 'revision'> | null;
  /** Fields that the new file has under another name: the old to the new. */
  renamed: Record<string, string>;
  /** All that is said of fields; null: what was said stays. */
  help: SaidHelp[] | null;
}

/** Publishes a template, or changes one. What has been sent is told as a fraction; after 1 the server sets its pages. */
export function usePublish(onDone: () => void) {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  /** One name per content: pressing the button again after a lost answer does nothing twice. */
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
