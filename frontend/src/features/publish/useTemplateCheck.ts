import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { Diagnostic, TemplateProgram } from '@/api/types';
import { toFieldsAndValues } from '@/shared/fields/fieldsAndValues';
import {
  structureIn,
  withStructure,
  type FieldOverrides,
  type FieldSettings,
  type SuggestedDerivation,
} from '@/shared/fields/fieldSettings';
import type { FieldValues, StructuredField } from '@/shared/fields/values';
import { fileBytes } from '@/shared/files';

import { useTemplateArea, type TemplateArea } from './templateArea';
import { sendCheck } from './templateCalls';

/** The result of checking a template before it is published. */
export interface CheckResult {
  diagnostics: Diagnostic[];
  /** The field names in reading order. */
  fields: string[];
  /** The detected settings of each field. */
  settings: FieldSettings[];
  /** The derivations that fit the names of the fields and columns. */
  suggestions: SuggestedDerivation[];
  /** The code of the language of most of its text; null if the file does not say. */
  language: string | null;
  pages: number;
  /** The program for which the file was written; null for other files. */
  program: TemplateProgram | null;
  /** True if marks of that program can be converted. */
  isConvertible: boolean;
  /** The content of the file. */
  docx: Uint8Array<ArrayBuffer>;
  /** The pages laid out by the server, filled if preview values were sent. */
  pdf: Uint8Array<ArrayBuffer>;
}

interface CheckRequest {
  file: File;
  title: string;
  /** The values for a test fill. */
  testFill?: { fields: StructuredField[]; values: FieldValues; overrides: FieldOverrides[] };
}

/** Checks a file and lays out its pages on the server, which stores nothing. */
export async function checkTemplate(
  area: TemplateArea,
  { file, title, testFill }: CheckRequest,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<CheckResult> {
  // The kinds of fields decide which values they take.
  const fieldHelp = testFill && JSON.stringify(testFill.overrides);
  const values = testFill && JSON.stringify(toFieldsAndValues(testFill.fields, testFill.values));
  const response = await sendCheck(area, file, { title, fieldHelp, fieldsAndValues: values }, options);
  return {
    diagnostics: response.findings,
    fields: response.fields,
    settings: withStructure(response.fieldHelp, structureIn(response)),
    suggestions: response.suggestions,
    language: response.language ?? null,
    pages: response.pages,
    program: response.program ?? null,
    isConvertible: response.convertible,
    docx: new Uint8Array(await file.arrayBuffer()),
    pdf: await fileBytes(response.pdf, response.pdfUrl, options.signal),
  };
}

/** Checks a file with `checkTemplate`. Only the last request counts. */
export function useTemplateCheck() {
  const area = useTemplateArea();
  const [sentFraction, setSentFraction] = useState(0);
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  const mutation = useMutation({
    mutationFn: (request: CheckRequest): Promise<CheckResult> => {
      stop();
      const { signal } = (running.current = new AbortController());
      setSentFraction(0);
      return checkTemplate(area, request, { onProgress: setSentFraction, signal });
    },
  });

  const reset = () => {
    stop();
    mutation.reset();
  };
  return { ...mutation, sentFraction, reset };
}
