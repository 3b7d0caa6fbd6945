import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Template } from '@/api/types';
import type { FieldOverrides } from '@/shared/fields/fieldSettings';
import { MY_TEMPLATES_KEY } from '@/shared/templates/ownTemplates';

import { listToSend } from './categories';
import { useTemplateArea } from './templateArea';
import { createAttemptKeys, fileIdentity, sendNewTemplate, sendTemplateChange } from './templateCalls';

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
export function usePublishTemplate(onDone: (published: Template) => void) {
  const area = useTemplateArea();
  const queryClient = useQueryClient();
  const [sentFraction, setSentFraction] = useState(0);
  /** One idempotency key per content: pressing the button again after a lost response has no second effect. */
  const [attemptKey] = useState(createAttemptKeys);

  const mutation = useMutation({
    mutationFn: async ({ file, edited, renamed, overrides, ...template }: PublishRequest) => {
      const texts = {
        title: template.title.trim(),
        categories: listToSend(template.categories),
        keywords: listToSend(template.keywords),
        language: template.language ?? '',
        country: template.country ?? '',
      };
      const idempotencyKey = attemptKey([texts, edited, renamed, overrides, fileIdentity(file)]);
      setSentFraction(0);
      const fieldHelp = overrides ? JSON.stringify(overrides) : undefined;
      const options = { onProgress: setSentFraction, idempotencyKey };
      if (edited) {
        const parts = {
          ...texts,
          fieldHelp,
          revision: String(edited.revision),
          renamed: file ? JSON.stringify(renamed) : undefined,
        };
        return sendTemplateChange(area, edited._id, file, parts, options);
      }
      if (!file) throw new Error('A new template needs a file.');
      return sendNewTemplate(area, file, { ...texts, fieldHelp }, options);
    },
    onSuccess: async ({ document }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: area === 'own' ? MY_TEMPLATES_KEY : ['documents'] }),
        queryClient.invalidateQueries({ queryKey: ['categories'] }),
        queryClient.invalidateQueries({ queryKey: ['document', document._id] }),
      ]);
      onDone(document);
    },
  });
  return { ...mutation, sentFraction };
}
