import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { multipartForm, postForm } from '@/api/client';
import type { CheckForm, FieldSettings, Diagnostic } from '@/api/types';
import { toFieldsAndValues } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

import { withUploadProgress, sendWithFile } from './sendWithFile';

/** The result of checking a template before it is published. */
export interface CheckResult {
  diagnostics: Diagnostic[];
  /** The field names in reading order. */
  fields: string[];
  /** The detected settings of each field. */
  settings: FieldSettings[];
  /** The code of the language of most of its text; null if the file does not say. */
  language: string | null;
  pages: number;
  /** The content of the file. */
  docx: Uint8Array<ArrayBuffer>;
  /** The pages laid out by the server, filled if preview values were sent. */
  pdf: Uint8Array<ArrayBuffer>;
}

interface CheckRequest {
  file: File;
  title: string;
  /** The values for a test fill. */
  testFill?: { fields: string[]; values: Record<string, string> };
}

/** Checks a file and lays out its pages on the server, which stores nothing. Only the last request counts. */
export function useTemplateCheck() {
  const [sentFraction, setSentFraction] = useState(0);
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  const mutation = useMutation({
    mutationFn: async ({ file, title, testFill }: CheckRequest): Promise<CheckResult> => {
      stop();
      const { signal } = (running.current = new AbortController());
      setSentFraction(0);
      const values = testFill && JSON.stringify(toFieldsAndValues(testFill.fields, testFill.values));
      const options = { onProgress: setSentFraction, signal };
      const response = await sendWithFile(file, options, (part) =>
        postForm(
          '/api/v1/documents/check',
          multipartForm<CheckForm>({ ...part, title, fieldsAndValues: values }),
          withUploadProgress(part, options),
        ),
      );
      return {
        diagnostics: response.findings,
        fields: response.fields,
        settings: response.fieldHelp,
        language: response.language ?? null,
        pages: response.pages,
        docx: new Uint8Array(await file.arrayBuffer()),
        pdf: await fileBytes(response.pdf, response.pdfUrl, signal),
      };
    },
  });

  const reset = () => {
    stop();
    mutation.reset();
  };
  return { ...mutation, sentFraction, reset };
}
