import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { upload } from '@/api/client';
import type { FileResponse } from '@/api/types';

export interface Publication {
  title: string;
  file: File;
  /** Names as the API knows them. */
  categories: string[];
  language: string | null;
  country: string | null;
}

/** Sends a template; `sent` is the share that has left, null while nothing is on its way. */
export function usePublish() {
  const queries = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  // The same key while the same thing is tried again: a lost answer does not publish it twice.
  const attempt = useRef<{ of: string; key: string }>(undefined);

  const mutation = useMutation({
    mutationFn: ({ title, file, categories, language, country }: Publication) => {
      const of = JSON.stringify([
        title,
        file.name,
        file.size,
        file.lastModified,
        categories,
        language,
        country,
      ]);
      if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const form = new FormData();
      form.set('title', title);
      form.set('file', file);
      if (categories.length > 0) form.set('categories', categories.join(','));
      if (language) form.set('language', language);
      if (country) form.set('country', country);
      setSent(0);
      return upload<FileResponse>('/documents/file', form, setSent, { idempotencyKey: attempt.current.key });
    },
    onSuccess: () => queries.invalidateQueries(),
    onSettled: () => setSent(null),
  });
  return { ...mutation, sent };
}
