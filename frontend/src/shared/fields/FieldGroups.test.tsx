// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import type { DerivedValue } from '@/shared/pages/messages';

import { FieldGroups } from './FieldGroups';
import type { FieldInputProps } from './FieldInput';
import type { FieldSettings } from './fieldSettings';
import { useStoreOf } from './formStore';
import type { TemplateSections } from './sectionConditions';
import type { FieldValues, PictureValue } from './values';

/** The names of the text inputs in the order of their renderings. */
let rendered: string[] = [];
const textInputs = new Map<string, FieldInputProps>();
vi.mock('./FieldInput', () => ({
  FieldInput: (props: FieldInputProps) => {
    rendered.push(props.settings.field);
    textInputs.set(props.settings.field, props);
    return null;
  },
  FieldDescription: () => null,
  hasDescription: () => false,
}));

interface PictureProps {
  field: string;
  value: PictureValue | undefined;
  onChange: (value: PictureValue | undefined) => void;
}
interface QrCodeProps {
  field: string;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}
const pictures = new Map<string, PictureProps & { kind: string }>();
let qrCode: QrCodeProps | undefined;
vi.mock('./pictures', () => {
  const createInput = (kind: string) => (props: PictureProps) => {
    pictures.set(props.field, { ...props, kind });
    return <input data-input={props.field} />;
  };
  return {
    PictureInput: createInput('picture'),
    SignatureInput: createInput('signature'),
    QrCodeInput: (props: QrCodeProps) => {
      qrCode = props;
      return null;
    },
  };
});

const PHOTO = { image: 'data:image/png;base64,AAAA' };
let root: Root;
let values: FieldValues;
let setDerived: (derived: Record<string, DerivedValue>) => void;

async function show(settings: FieldSettings[], initial: FieldValues = {}, sections?: TemplateSections) {
  const Form = () => {
    const [current, setCurrent] = useState(initial);
    const [derivedValues, setDerivedValues] = useState<Record<string, DerivedValue>>({});
    values = current;
    setDerived = setDerivedValues;
    return (
      <FieldGroups
        settings={settings}
        values={useStoreOf(current)}
        lang="en"
        country={null}
        derivedValues={useStoreOf(derivedValues)}
        {...(sections && { sections })}
        onFieldFocus={() => undefined}
        onChange={(field, value) => setCurrent((now) => ({ ...now, [field]: value }))}
      />
    );
  };
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Form />
      </MantineProvider>,
    ),
  );
}

const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => one.textContent === name || one.getAttribute('aria-label') === name,
  );
const choose = (field: string, value: PictureValue | undefined) =>
  act(async () => pictures.get(field)?.onChange(value));

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('documents', 'fields');
});
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.body.firstElementChild as Element);
  rendered = [];
  pictures.clear();
});
afterEach(() => act(async () => root.unmount()));

it('a picture and a signature have inputs of their own, and are empty texts while they are missing', async () => {
  await show(
    [
      { field: 'logo', kind: 'picture' },
      { field: 'signed', kind: 'signature' },
    ],
    { logo: '', signed: PHOTO },
  );
  expect(pictures.get('logo')).toMatchObject({ kind: 'picture', value: undefined });
  expect(pictures.get('signed')).toMatchObject({ kind: 'signature', value: PHOTO });
  await choose('logo', PHOTO);
  await choose('signed', undefined);
  expect(values).toEqual({ logo: PHOTO, signed: '' });
  expect(rendered).toEqual([]);
});

it('a text that is too long for a QR code is an error', async () => {
  await show([{ field: 'code', kind: 'qr_code' }]);
  // Each letter has two bytes in UTF-8.
  await act(async () => qrCode?.onChange('é'.repeat(1165)));
  expect(qrCode?.error).toBeNull();
  await act(async () => qrCode?.onChange('é'.repeat(1166)));
  expect(qrCode?.error).toContain('2,332');
});

it('a key renders only its own input', async () => {
  const total: FieldSettings = {
    field: 'total',
    kind: 'amount',
    derivation: { kind: 'sum', of: ['first', 'second'] },
  };
  await show([{ field: 'first', kind: 'text' }, { field: 'second', kind: 'text' }, total]);
  rendered = [];
  await act(async () => textInputs.get('second')?.onChange('5'));
  expect(rendered).toEqual(['second']);
  rendered = [];
  await act(async () => setDerived({ total: { text: '5' } }));
  expect(rendered).toEqual(['total']);
  // A later key of another field gets the latest values.
  await act(async () => textInputs.get('first')?.onChange('1'));
  expect(values).toEqual({ first: '1', second: '5' });
});

it('characters that no font has are named below their field', async () => {
  await show([
    { field: 'name', kind: 'text' },
    { field: 'place', kind: 'text' },
  ]);
  const note = () => document.querySelector('[role=status]')?.textContent;
  await act(async () => textInputs.get('name')?.onChange('Amina محمد'));
  expect(note()).toBeUndefined();
  await act(async () => textInputs.get('name')?.onChange('李 Amina 李 नम'));
  expect(note()).toBe('These characters cannot be printed and will appear as boxes: \u2068李 न म\u2069');
});

it('a switch hides the fields of its section, names them for screen readers, and keeps their values', async () => {
  const settings: FieldSettings[] = [
    { field: 'guaranteed', label: 'Is there a guarantor?', kind: 'yes_no' },
    { field: 'guarantor', label: 'Guarantor', kind: 'text' },
    { field: 'deposit', label: 'Deposit', kind: 'text' },
  ];
  const conditions = {
    guarantor: [{ field: 'guaranteed', answer: true }],
    deposit: [{ field: 'guaranteed', answer: false }],
  };
  const shown = () => {
    const before = rendered;
    rendered = [];
    return before;
  };
  await show(settings, { guarantor: 'Amina' }, { conditions, printed: [] });
  expect(shown()).toEqual(['deposit']);
  const input = document.querySelector<HTMLInputElement>('[role=switch]');
  const effect = document.getElementById(input?.getAttribute('aria-describedby') ?? '');
  expect(effect?.textContent).toBe(
    'When switched on, shows: \u2068Guarantor\u2069. When switched on, hides: \u2068Deposit\u2069.',
  );
  await act(async () => input?.click());
  expect(shown()).toEqual(['guarantor']);
  expect(textInputs.get('guarantor')?.value).toBe('Amina');
  await act(async () => input?.click());
  expect(shown()).toEqual(['deposit']);
  expect(values['guarantor']).toBe('Amina');
});

it('a picture in a list is a button with a small picture, which opens the input in a dialog', async () => {
  const items: FieldSettings = {
    field: 'items',
    label: 'Items',
    kind: 'list',
    columns: [{ field: 'photo', label: 'Photo', kind: 'picture' }],
  };
  await show([items], { items: [{ photo: '' }, { photo: PHOTO }] });
  // The grid is loaded on demand.
  await act(() => import('./ListInput/ListInput'));
  const filled = button('Photo, row 2 of Items: Picture added');
  expect(filled?.querySelector('img')?.getAttribute('src')).toBe(PHOTO.image);
  await act(async () => button('Photo, row 1 of Items: No picture')?.click());
  expect(document.querySelector('[role=dialog] [data-input="items[0].photo"]')).not.toBeNull();
  await choose('items[0].photo', PHOTO);
  expect(values['items']).toEqual([{ photo: PHOTO }, { photo: PHOTO }]);
  expect(button('Photo, row 1 of Items: Picture added')).toBeDefined();
});
