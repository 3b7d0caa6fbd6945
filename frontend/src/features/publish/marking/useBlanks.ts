import { useQuery } from '@tanstack/react-query';

import { canLayOutPages, detectBlanks } from '@/shared/pages/client';

/** Finds the blanks of a Word file. Without the engine nothing is found, and `isSupported` is false. */
export function useBlanks(file: File | null) {
  const isSupported = canLayOutPages();
  const { data, isLoading } = useQuery({
    queryKey: ['blanks', file?.name, file?.size, file?.lastModified],
    queryFn: async () => {
      if (!file) return null;
      const docx = new Uint8Array(await file.arrayBuffer());
      return { docx, ...(await detectBlanks(docx)) };
    },
    enabled: isSupported && file !== null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return { isSupported, isLoading, data };
}
