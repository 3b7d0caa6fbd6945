import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { FieldSettings } from '@/shared/fields/fieldSettings';
import { parsePath } from '@/shared/fields/paths';
import { NO_SECTIONS, shownFields, type TemplateSections } from '@/shared/fields/sectionConditions';
import type { FieldValues } from '@/shared/fields/values';

import { draftKey, type FillTask } from './fillTask';

const sectionsKey = (task: FillTask) => ['sections', draftKey(task)];

/** Keeps the sections that the form knows, for the result page and for the way back. */
export function useStoreSections(task: FillTask, sections: TemplateSections): void {
  const queryClient = useQueryClient();
  const key = JSON.stringify(sectionsKey(task));
  useEffect(() => {
    queryClient.setQueryData(JSON.parse(key) as string[], sections);
  }, [queryClient, key, sections]);
}

/** Returns the sections that the form of this task has found. After a reload they are not known. */
export function storedSections(queryClient: QueryClient, task: FillTask): TemplateSections {
  return queryClient.getQueryData<TemplateSections>(sectionsKey(task)) ?? NO_SECTIONS;
}

/** Returns the sections that were found before, so that a form that is opened again shows the same fields at once. */
export function useKnownSections(task: FillTask): TemplateSections {
  return storedSections(useQueryClient(), task);
}

/** Returns the values whose fields the form shows. A field in a clause that is not printed needs no value. */
export function valuesOfShownFields<Value extends { field: string }>(
  missing: readonly Value[],
  settings: readonly FieldSettings[],
  values: FieldValues,
  sections: TemplateSections,
): Value[] {
  const shown = new Set(shownFields(settings, values, sections).map(({ field }) => field));
  return missing.filter(({ field }) => shown.has(parsePath(field).field));
}
