// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';

import type { FieldSettings } from '@/shared/fields/fieldSettings';
import { NO_SECTIONS, type TemplateSections } from '@/shared/fields/sectionConditions';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';

import type { FillTask } from './fillTask';
import { useKnownSections, useStoreSections, valuesOfShownFields } from './storedSections';

it('a derived field in a clause that is switched off is not reported as empty', () => {
  const settings: FieldSettings[] = [
    { field: 'guaranteed', kind: 'yes_no' },
    { field: 'sum in words', kind: 'text' },
    { field: 'items', kind: 'list', columns: [{ field: 'total', kind: 'text' }] },
    { field: 'rent in words', kind: 'text' },
  ];
  const clause = [{ field: 'guaranteed', answer: true }];
  const sections = { conditions: { 'sum in words': clause, items: clause }, printed: [] };
  const missing = [{ field: 'sum in words' }, { field: 'items[2].total' }, { field: 'rent in words' }];
  const reported = (values: Record<string, boolean>) =>
    valuesOfShownFields(missing, settings, values, sections).map(({ field }) => field);
  expect(reported({})).toEqual(['rent in words']);
  expect(reported({ guaranteed: true })).toEqual(['sum in words', 'items[2].total', 'rent in words']);
});

it('a form that is opened again knows the sections that it has found', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const found: TemplateSections = {
    conditions: { guarantor: [{ field: 'guaranteed', answer: true }] },
    printed: [],
  };
  const known: TemplateSections[] = [];
  let find: ((sections: TemplateSections) => void) | undefined;
  const Form = ({ task }: { task: FillTask }) => {
    const { inputProps, pagesProps } = useLinkedFields([], 'en', null, useKnownSections(task));
    useStoreSections(task, inputProps.sections);
    known.push(inputProps.sections);
    find = pagesProps.onSections;
    return null;
  };
  const queryClient = new QueryClient();
  const open = async (templateId: string) => {
    const root = createRoot(document.createElement('div'));
    await act(async () =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <Form task={{ kind: 'new', templateId }} />
        </QueryClientProvider>,
      ),
    );
    return root;
  };
  const first = await open('lease');
  expect(known.at(-1)).toEqual(NO_SECTIONS);
  await act(async () => find?.(found));
  await act(async () => first.unmount());
  const again = await open('lease');
  expect(known.at(-1)).toEqual(found);
  const other = await open('invoice');
  expect(known.at(-1)).toEqual(NO_SECTIONS);
  await act(async () => [again, other].forEach((root) => root.unmount()));
});
