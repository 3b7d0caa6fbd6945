import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { formOf, upload } from '@/api/client';
import type { CheckForm, FieldHelp, Finding } from '@/api/types';
import { fieldsAndValues } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

import { progressOf, withFile } from './templateFile';

/** A template before it is published. */
export interface Checked {
  findings: Finding[];
  /** In reading order. */
  fields: string[];
  /** What is guessed of each. */
  help: FieldHelp[];
  /** The code of the language most of its text is in; null: the file does not say. */
  language: string | null;
  pages: number;
  /** The file itself. */
  docx: Uint8Array<ArrayBuffer>;
  /** Its pages as the server sets them, filled where it was asked to. */
  pdf: Uint8Array<ArrayBuffer>;
}

interface Question {
  file: File;
  title: string;
  /** Fills it as a trial. */
  trial?: { fields: string[]; values: Record<string, string> };
}

/** Has a file checked, and its pages set; nothing of it is kept there. The last one that was asked for counts. */
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
