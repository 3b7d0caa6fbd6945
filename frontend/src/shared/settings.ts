import { useQuery } from '@tanstack/react-query';

import { anonymous, answerOf } from '@/api/client';
import type { GoogleSettings, Operator } from '@/api/types';

/** Limits the server holds too (design §3). */
export const LIMITS = {
  titleCharacters: 200,
  keywords: 30,
  templateBytes: 20_000_000,
  templateMegabytes: 20,
  /** Of a template that comes in a form; a larger one is sent to an address of its own. */
  formBytes: 4_000_000,
  valueCharacters: 10_000,
  valuesKilobytes: 200,
  passwordFewest: 8,
  passwordMost: 256,
  userNameCharacters: 60,
  messageCharacters: 5_000,
} as const;

export interface Settings {
  /** What signing in with Google needs; null: it is not offered. */
  google: GoogleSettings | null;
  homeUrl: string | null;
  appUrl: string | null;
  /** Who runs the site; null: nobody is named yet; undefined: not known yet. */
  operator: Operator | null | undefined;
}

/** An address of the web, or null: what is anything else becomes no link. */
function address(value: string | null | undefined): string | null {
  return value && /^https?:\/\//.test(value) ? value : null;
}

/**
 * What whoever runs the product has set: Google's client, the marketing site, the mobile app. Asked for once a page's life;
 * until it is known, and where it cannot be, nothing is set.
 */
export function useSettings(): Settings {
  const { data } = useQuery({
    queryKey: ['/settings'],
    queryFn: ({ signal }) => answerOf(anonymous.GET('/api/v1/settings', { signal })),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return {
    google: data?.google ?? null,
    homeUrl: address(data?.homeUrl),
    appUrl: address(data?.appUrl),
    operator: data && (data.operator ?? null),
  };
}
