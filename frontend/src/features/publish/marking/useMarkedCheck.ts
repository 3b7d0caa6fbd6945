import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { FieldMark } from '@/shared/pages/messages';
import { markFields } from '@/shared/pages/client';

import { useTemplateArea } from '../templateArea';
import { checkTemplate, type CheckResult } from '../useTemplateCheck';

import { marksToWrite, type MarkedField } from './markedFields';

/** The time without a change after which a document is checked, in milliseconds. */
const SETTLE_MS = 300;

interface MarkedCheck {
  result: CheckResult;
  /** The fields of the checked document. */
  fields: readonly MarkedField[];
}

/** Checks the document with its accepted fields on the server whenever they change. Nothing is stored. */
export function useMarkedCheck(file: File, docx: Uint8Array<ArrayBuffer>, fields: readonly MarkedField[]) {
  const area = useTemplateArea();
  const [settled] = useDebouncedValue(fields, SETTLE_MS);
  const settledMarks = JSON.stringify(marksToWrite(settled));
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ['markedCheck', area, file.name, file.size, file.lastModified, settledMarks],
    queryFn: async ({ signal }): Promise<MarkedCheck> => {
      const { bytes } = await markFields(docx, JSON.parse(settledMarks) as FieldMark[]);
      const marked = new File([bytes], file.name, { type: file.type });
      const options = { onProgress: () => undefined, signal };
      return { result: await checkTemplate(area, { file: marked, title: '' }, options), fields: settled };
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const isCurrent = !isPlaceholderData && settledMarks === JSON.stringify(marksToWrite(fields));
  return { check: data, error, isCurrent, isFetching, refetch };
}
