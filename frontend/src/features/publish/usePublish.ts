import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { formOf, upload } from '@/api/client';
import type { FileForm, FileResponse } from '@/api/types';

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
      const { file } = template;
      const texts = {
        title: template.title.trim(),
        categories: categoriesToSend(template.categories),
        language: template.language ?? '',
        country: template.country ?? '',
      };
      const content = JSON.stringify([texts, file.name, file.size, file.lastModified]);
      if (attempt.current?.content !== content) attempt.current = { content, key: crypto.randomUUID() };
      setSent(0);
      const idempotencyKey = attempt.current.key;
      return upload('/api/v1/documents/file', formOf<FileForm>({ ...texts, file }), setSent, {
        idempotencyKey,
      });
    },
    onSuccess: async (answer) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['documents'] }),
        queries.invalidateQueries({ queryKey: ['categories'] }),
      ]);
      onPublished(answer);
    },
  });
  return { ...mutation, sent };
}
