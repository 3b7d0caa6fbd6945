// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import { canLayOutPages, convertTemplate } from '@/shared/pages/client';

import { ConversionNotice, type ConvertedFile } from './ConversionNotice';

vi.mock('@/shared/pages/client', () => ({ canLayOutPages: vi.fn(), convertTemplate: vi.fn() }));

const file = new File(['template'], 'letter.docx');
const remaining = [{ mark: '{a | b}', part: 'word/document.xml', paragraph: 2, context: 'x {a | b}' }];
const onConverted = vi.fn<(conversion: ConvertedFile) => void>();
const onUndo = vi.fn<(original: File) => void>();

let root: Root;
let container: HTMLElement;

async function show(props: Partial<Parameters<typeof ConversionNotice>[0]> = {}): Promise<void> {
  await act(() =>
    root.render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <ConversionNotice
            file={file}
            program="docxtemplater"
            isConvertible
            conversion={null}
            isDisabled={false}
            onConverted={onConverted}
            onUndo={onUndo}
            {...props}
          />
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
}

async function press(label: string): Promise<void> {
  const button = [...container.querySelectorAll('button')].find((one) => one.textContent === label);
  await act(() => Promise.resolve(button?.click()));
}

beforeAll(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
  await loadTexts('templates', 'findings');
});

beforeEach(() => {
  vi.mocked(canLayOutPages).mockReturnValue(true);
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});

afterEach(async () => {
  await act(() => root.unmount());
  container.remove();
  vi.clearAllMocks();
});

it('names the program and converts the file', async () => {
  const report = { converted: 3, remaining, omitted: 0, lists: [], pictures: [] };
  vi.mocked(convertTemplate).mockResolvedValue({ bytes: new Uint8Array([1, 2]), report });
  await show();
  expect(container.textContent).toContain('This file was written for docxtemplater');
  await press('Convert the file');
  await vi.waitFor(() => expect(onConverted).toHaveBeenCalled());
  const [done] = onConverted.mock.calls[0] ?? [];
  expect(done?.original).toBe(file);
  expect([done?.converted.name, done?.converted.size]).toEqual(['letter.docx', 2]);
  expect(done?.report).toEqual(report);
});

it('lists what stays and can be undone', async () => {
  const conversion = {
    original: file,
    converted: file,
    report: { converted: 3, remaining, omitted: 2, lists: [], pictures: [] },
  };
  await show({ conversion, program: null });
  expect(container.textContent).toContain('3 marks were rewritten.');
  expect(container.textContent).toContain('3 marks have no equivalent');
  expect(container.querySelector('li')?.textContent).toBe('{a | b} (Text, paragraph 2)');
  await press('Undo the conversion');
  expect(onUndo).toHaveBeenCalledWith(file);
});

it('reports a failure and offers the conversion again', async () => {
  vi.mocked(convertTemplate).mockRejectedValue(new Error('unavailable'));
  await show();
  await press('Convert the file');
  await vi.waitFor(() => expect(container.querySelector('[role=alert] [role=alert]')).not.toBeNull());
  expect(onConverted).not.toHaveBeenCalled();
  expect(container.textContent).toContain('Convert the file');
});

it('names the command line in a browser without the engine', async () => {
  vi.mocked(canLayOutPages).mockReturnValue(false);
  await show();
  expect(container.querySelector('button')).toBeNull();
  expect(container.textContent).toContain('waraq convert template.docx -o converted.docx');
});

it('offers nothing if no mark has an equivalent', async () => {
  await show({ isConvertible: false });
  expect(container.querySelector('button')).toBeNull();
  expect(container.textContent).toContain('Its marks cannot be converted.');
});
