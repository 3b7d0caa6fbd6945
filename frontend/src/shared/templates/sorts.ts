import type { TemplatesQuery } from '@/api/types';

/** The orders of every list of templates (specification §9). The first is the default. */
export const SORTS = ['newest', 'oldest', 'most-used', 'least-used'] as const;
export type Sort = (typeof SORTS)[number];

/** The API's parameter for each order (specification §7). */
export const SORT_PARAMETERS: Record<Sort, TemplatesQuery> = {
  newest: { newCreated: true },
  oldest: { oldCreated: true },
  'most-used': { most: true },
  'least-used': { less: true },
};
