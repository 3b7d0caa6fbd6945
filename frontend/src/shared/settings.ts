import { useQuery } from '@tanstack/react-query';

import { anonymousApi, responseBody } from '@/api/client';
import type { GoogleSettings, Operator } from '@/api/types';

/** Limits that the server enforces too (design §3). */
export const LIMITS = {
  titleCharacters: 200,
  keywords: 30,
  templateBytes: 20_000_000,
  templateMegabytes: 20,
  /** The limit for a template in a form; a larger one is uploaded to its own URL. */
  formBytes: 4_000_000,
  valueCharacters: 10_000,
  /** The most bytes in a QR code with error correction level M (ISO/IEC 18004, version 40). */
  qrCodeBytes: 2_331,
  valuesKilobytes: 200,
  /** The limit of all pictures of a document together. */
  picturesMegabytes: 3,
  /** The limit of one list, and the limit of all lists together with those in their rows. */
  listRows: 500,
  rows: 2_000,
  passwordMinCharacters: 8,
  passwordMaxCharacters: 256,
  userNameCharacters: 60,
  messageCharacters: 5_000,
} as const;

export interface Settings {
  /** The settings for signing in with Google; null if it is not offered. */
  google: GoogleSettings | null;
  homeUrl: string | null;
  appUrl: string | null;
  /** The operator of the site: null if none is named, undefined while unknown. */
  operator: Operator | null | undefined;
}

/** Returns an http or https URL, or null for any other text, which must not become a link. */
function webUrlOrNull(value: string | null | undefined): string | null {
  return value && /^https?:\/\//.test(value) ? value : null;
}

/**
 * Returns the operator's settings: Google's client, the website, the mobile app. They are loaded once per page
 * load. Until then, or if that fails, all are unset.
 */
export function useSettings(): Settings {
  const { data } = useQuery({
    queryKey: ['/settings'],
    queryFn: ({ signal }) => responseBody(anonymousApi.GET('/api/v1/settings', { signal })),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return {
    google: data?.google ?? null,
    homeUrl: webUrlOrNull(data?.homeUrl),
    appUrl: webUrlOrNull(data?.appUrl),
    operator: data && (data.operator ?? null),
  };
}
