import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { multipartForm, postForm, patchTemplate } from '@/api/client';
import type { Template, FileForm, UpdateForm } from '@/api/types';
import type { FieldOverrides } from '@/shared/fields/fieldSettings';

import { listToSend } from './categories';
import { withUploadProgress, sendWithFile, type FilePart } from './sendWithFile';

export interface TemplateInput {
  title: string;
  /** Null in an edit that keeps the file. */
  file: File | null;
  categories: string;
  keywords: string;
  language: string | null;
  country: string | null;
}

/** The data to send, and the revision of the template that is edited. */
export interface PublishRequest extends TemplateInput {
  edited: Pick<Template, '_id' | 'revision'> | null;
  /** The new name of each renamed field, by its old name. */
  renamed: Record<string, string>;
  /** All overrides of field settings; null keeps the current ones. */
  overrides: FieldOverrides[] | null;
}

/**
 * Publishes or changes a template. `sentFraction` is the fraction that was sent; after 1 the server lays out the
 * pages.
 */
export function usePublishTemplate(onDone: () => void) {
  const queryClient = useQueryClient();
  const [sentFraction, setSentFraction] = useState(0);
  /** One idempotency key per content: pressing the button again after a lost response has no second effect. */
  const lastAttempt = useRef<{ content: string; key: string }>(undefined);

  const mutation = useMutation({
    mutationFn: async ({ file, edited, renamed, overrides, ...template }: PublishRequest) => {
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
        overrides,
        file?.name,
        file?.size,
        file?.lastModified,
      ]);
      if (lastAttempt.current?.content !== content)
        lastAttempt.current = { content, key: crypto.randomUUID() };
      setSentFraction(0);
      const fieldHelp = overrides ? JSON.stringify(overrides) : undefined;
      const options = { onProgress: setSentFraction, idempotencyKey: lastAttempt.current.key };
      const send = (part: FilePart | Record<string, never>) => {
        const progress = withUploadProgress(part, options);
        if (!edited)
          return postForm(
            '/api/v1/documents/file',
            multipartForm<FileForm>({ ...texts, ...part, fieldHelp }),
            progress,
          );
        const form = multipartForm<UpdateForm>({
          ...texts,
          ...part,
          fieldHelp,
          revision: String(edited.revision),
          renamed: file ? JSON.stringify(renamed) : undefined,
        });
        return patchTemplate(edited._id, form, progress);
      };
      return file ? sendWithFile(file, options, send) : send({});
    },
    onSuccess: async ({ document }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['documents'] }),
        queryClient.invalidateQueries({ queryKey: ['categories'] }),
        queryClient.invalidateQueries({ queryKey: ['document', document._id] }),
      ]);
      onDone();
    },
  });
  return { ...mutation, sentFraction };
}
