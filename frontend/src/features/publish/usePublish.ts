import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { upload } from '@/api/client';
import type { FileResponse } from '@/api/types';

import { categoriesToSend } from './categories';

export interface Template {
  title: string;
  file: File;
  categories: string;
  language: string | null;
  country: string | null;
}

/** Sends a template. What has been sent is told as a fraction; after 1 the server checks it and sets its pages. */
export function usePublish(onPublished: (answer: FileResponse) => void) {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  /** One name per content: pressing the button again after a lost answer publishes nothing twice. */
  const attempt = useRef<{ content: string; key: string }>(undefined);

  const mutation = useMutation({
    mutationFn: (template: Template) => {
      const form = new FormData();
      form.set('title', template.title.trim());
      form.set('categories', categoriesToSend(template.categories));
      form.set('language', template.language ?? '');
      form.set('country', template.country ?? '');
      form.set('file', template.file, template.file.name);
      const { name, size, lastModified } = template.file;
      const content = JSON.stringify(
        [...form.entries()].slice(0, 4).concat([[name, `${size}/${lastModified}`]]),
      );
      if (attempt.current?.content !== content) attempt.current = { content, key: crypto.randomUUID() };
      setSent(0);
      return upload<FileResponse>('/documents/file', form, setSent, { idempotencyKey: attempt.current.key });
    },
    onSuccess: async (answer) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['documents'] }),
        queries.invalidateQueries({ queryKey: ['/categories'] }),
      ]);
      onPublished(answer);
    },
  });
  return { ...mutation, sent };
}
