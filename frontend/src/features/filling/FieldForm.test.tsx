// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { EMPTY_DRAFT } from '@/shared/drafts';
import type { FieldInputProps } from '@/shared/fields/FieldInput';
import type { FieldSettings } from '@/shared/fields/fieldSettings';
import { NO_SECTIONS } from '@/shared/fields/sectionConditions';
import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import type { DerivedValue } from '@/shared/pages/messages';
import { createStore } from '@/shared/store';

import { FieldForm } from './FieldForm';
import { useDraft } from './useDraft';

/** The names of the inputs in the order of their renderings. */
let rendered: string[] = [];
const inputs = new Map<string, FieldInputProps>();
vi.mock('@/shared/fields/FieldInput', () => ({
  FieldInput: (props: FieldInputProps) => {
    rendered.push(props.settings.field);
    inputs.set(props.settings.field, props);
    return <input data-input={props.settings.field} value={props.value} readOnly />;
  },
  FieldDescription: () => null,
  hasDescription: () => false,
}));

const SETTINGS: FieldSettings[] = Array.from({ length: 2000 }, (_, index) => ({
  field: `field ${index}`,
  kind: 'text',
}));
const INPUTS = { current: null };
const DERIVED = createStore<Record<string, DerivedValue>>({});
const doNothing = () => undefined;
let root: Root;

function Form() {
  const { form, elsewhere } = useDraft('template', EMPTY_DRAFT);
  return (
    <FieldForm
      settings={SETTINGS}
      lang="en"
      country={null}
      form={form}
      derivedValues={DERIVED}
      sections={NO_SECTIONS}
      changedElsewhere={elsewhere}
      savedAnswers={null}
      onGenerate={doNothing}
      onFieldFocus={doNothing}
      inputs={INPUTS}
    />
  );
}

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('documents', 'fields');
});
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.body.firstElementChild as Element);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <MemoryRouter>
          <Form />
        </MemoryRouter>
      </MantineProvider>,
    ),
  );
});
afterEach(() => act(async () => root.unmount()));

it('a key in a form of 2,000 fields renders one input, and then the number of filled fields', async () => {
  expect(new Set(rendered).size).toBe(2000);
  for (const value of ['A', 'Am']) {
    rendered = [];
    await act(async () => inputs.get('field 1234')?.onChange(value));
    expect(rendered).toEqual(['field 1234']);
    expect(document.querySelector<HTMLInputElement>('[data-input="field 1234"]')?.value).toBe(value);
  }
  expect(document.getElementById('filled')?.textContent).toContain('1 of 2,000');
  // The closed list of empty fields has no entries.
  expect(document.querySelectorAll('details li')).toHaveLength(0);
}, 30_000);

it('all fields are cleared at once', async () => {
  const press = (name: string) =>
    act(async () =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click(),
    );
  await act(async () => inputs.get('field 7')?.onChange('Amina'));
  await press('Clear all');
  expect(inputs.get('field 7')?.value).toBe('');
}, 30_000);
