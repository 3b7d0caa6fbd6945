import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { StructuredField } from '@/shared/fields/values';
import { findPlaces } from '@/shared/pages/client';
import type { FoundPlace } from '@/shared/pages/messages';

import type { MarkedField } from './markedFields';
import { documentProblems, isRepaired, placeProblems, selectionKey } from './problems';
import type { useMarkedCheck } from './useMarkedCheck';

/** The maximum number of texts that are searched in a document. */
const MAX_SEARCHES = 100;

interface ProblemsInput {
  file: File;
  docx: Uint8Array<ArrayBuffer>;
  checked: ReturnType<typeof useMarkedCheck>;
  fields: readonly MarkedField[];
  existing: readonly StructuredField[];
}

/** Returns the problems of the document with its accepted fields, and the fields that show them on the pages. */
export function useProblems({ file, docx, checked, fields, existing }: ProblemsInput) {
  const { check, isCurrent } = checked;
  const problems = useMemo(
    () => (check ? documentProblems(check.result.diagnostics, check.fields) : []),
    [check],
  );
  const searches = [...new Set(problems.flatMap(({ selections }) => selections.map(selectionKey)))].slice(
    0,
    MAX_SEARCHES,
  );
  const { data: found } = useQuery({
    queryKey: ['problemPlaces', file.name, file.size, file.lastModified, searches],
    queryFn: async () => {
      const all = new Map<string, FoundPlace[]>();
      for (const key of searches) {
        const selection = JSON.parse(key) as Parameters<typeof findPlaces>[1];
        const { selected, others } = await findPlaces(docx, selection);
        // A text without its surroundings is a problem wherever it is.
        const isOnce = selection.before !== '' || selection.after !== '';
        all.set(key, selected ? [selected, ...(isOnce ? [] : others)] : []);
      }
      return all;
    },
    enabled: searches.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return useMemo(() => {
    const { placed, ...shown } = placeProblems(problems, found ?? NOTHING_FOUND, fields, existing);
    const remaining = isCurrent
      ? placed
      : placed.filter((problem) => !isRepaired(problem, check?.fields ?? [], fields));
    return { ...shown, problems: remaining };
  }, [problems, found, fields, existing, isCurrent, check]);
}

const NOTHING_FOUND: ReadonlyMap<string, FoundPlace[]> = new Map();
