import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { formOf, upload } from '@/api/client';
import type { CheckForm, FieldHelp, Finding } from '@/api/types';
import { fieldsAndValues } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

import { progressOf, withFile } from './templateFile';

/** The result of checking a template before it is published. */
export interface Checked {
  findings: Finding[];
  /** The field names in reading order. */
  fields: string[];
  /** The detected settings of each field. */
  help: FieldHelp[];
  /** The code of the language of most of its text; null if the file does not say. */
  language: string | null;
  pages: number;
  /** The content of the file. */
  docx: Uint8Array<ArrayBuffer>;
  /** The pages laid out by the server, filled if preview values were sent. */
  pdf: Uint8Array<ArrayBuffer>;
}

interface Question {
  file: File;
  title: string;
  /** The values to fill it with for a preview. */
  trial?: { fields: string[]; values: Record<string, string> };
}

/** Checks a file and lays out its pages on the server, which stores nothing. Only the last request counts. */
export function useCheck() {
  const [sent, setSent] = useState(0);
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  const mutation = useMutation({
    mutationFn: async ({ file, title, trial }: Question): Promise<Checked> => {
      stop();
      const { signal } = (running.current = new AbortController());
      setSent(0);
      const values = trial && JSON.stringify(fieldsAndValues(trial.fields, trial.values));
      const sending = { onProgress: setSent, signal };
      const answer = await withFile(file, sending, (part) =>
        upload(
          '/api/v1/documents/check',
          formOf<CheckForm>({ ...part, title, fieldsAndValues: values }),
          progressOf(part, sending),
        ),
      );
      return {
        findings: answer.findings,
        fields: answer.fields,
        help: answer.fieldHelp,
        language: answer.language ?? null,
        pages: answer.pages,
        docx: new Uint8Array(await file.arrayBuffer()),
        pdf: await fileBytes(answer.pdf, answer.pdfUrl, signal),
      };
    },
  });

  const forget = () => {
    stop();
    mutation.reset();
  };
  return { ...mutation, sent, forget };
}
