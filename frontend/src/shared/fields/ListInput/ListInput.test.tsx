// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import { Toasts } from '@/shared/ui/Toasts';

import type { FieldSettings } from '../fieldSettings';
import { focusInput } from '../focusInput';
import type { Row } from '../values';

import { ListInput } from './ListInput';

const settings: FieldSettings = {
  field: 'items',
  label: 'Items',
  kind: 'list',
  minRows: 1,
  maxRows: 5,
  columns: [
    {
      field: 'what',
      label: 'Description',
      kind: 'text',
      hint: 'What was delivered, with its serial number and the place where it was handed over.',
    },
    { field: 'price', label: 'Price', kind: 'amount', hint: 'Without tax.' },
    { field: 'gift', label: 'Gift', kind: 'yes_no' },
    { field: 'total', label: 'Total', kind: 'text', derivation: { kind: 'product', of: ['price', 'price'] } },
  ],
};

let root: Root;
let rows: Row[];
let focused: string;
const row = (what: string, price = '') => ({ what, price, gift: false, total: '' });

/** Shows the list in a form that stores its rows. */
async function show(initial: Row[], showsMissing = false) {
  const Form = () => {
    const [current, setCurrent] = useState(initial);
    rows = current;
    return (
      <ListInput
        settings={settings}
        rows={current}
        path="items"
        lang="en"
        country={null}
        derivedValues={{ 'items[1].total': { text: '9' } }}
        showsMissing={showsMissing}
        onFocus={(path) => (focused = path)}
        onChange={setCurrent}
      />
    );
  };
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Form />
        <Toasts />
      </MantineProvider>,
    ),
  );
}

const input = (path: string) => {
  const found = document.querySelector<HTMLTextAreaElement>(`[data-input="${path}"]`);
  if (!found) throw new Error(`no ${path}`);
  return found;
};
const whats = () => rows.map(({ what }) => what);
const active = () => document.activeElement?.getAttribute('data-input');
const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button')].find(
    (one) => one.textContent === name || one.getAttribute('aria-label') === name,
  );
const click = (element: HTMLElement | undefined | null) => act(async () => element?.click());
const press = (path: string, key: string, init: KeyboardEventInit = {}) =>
  act(async () => {
    input(path).focus();
    input(path).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
    );
  });
const type = (path: string, text: string) =>
  act(async () => {
    const element = input(path);
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(element, text);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  });
const paste = (path: string, text: string) =>
  act(async () => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    input(path).dispatchEvent(event);
  });

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('fields');
});

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.body.firstElementChild as Element);
});

afterEach(() => act(async () => root.unmount()));

describe('the rows of a list', () => {
  it('are named for screen readers by column, row and list', async () => {
    await show([row('Chair'), row('Table')]);
    expect(input('items[1].price').getAttribute('aria-label')).toBe('Price, row 2 of Items');
    expect(input('items[0].gift').getAttribute('role')).toBe('switch');
    const table = document.querySelector('[role=table]');
    const label = document.getElementById(table?.getAttribute('aria-labelledby') ?? '');
    expect(label?.textContent).toBe('Items');
  });

  it('are edited, and keep their inputs', async () => {
    await show([row('Chair'), row('Table')]);
    const element = input('items[1].what');
    await type('items[1].what', 'Desk');
    expect(whats()).toEqual(['Chair', 'Desk']);
    expect(input('items[1].what')).toBe(element);
    await click(input('items[0].gift'));
    expect(rows[0]?.['gift']).toBe(true);
  });

  it('are added by Enter in the last row, and after any row by Ctrl and Enter', async () => {
    await show([row('Chair'), row('Table')]);
    await press('items[0].price', 'Enter');
    expect(active()).toBe('items[1].price');
    await press('items[1].price', 'Enter');
    expect(whats()).toEqual(['Chair', 'Table', '']);
    expect(active()).toBe('items[2].what');
    await press('items[0].price', 'Enter', { ctrlKey: true });
    expect(whats()).toEqual(['Chair', '', 'Table', '']);
    expect(active()).toBe('items[1].what');
    expect(rows[1]).toEqual(row(''));
  });

  it('are moved by Alt and an arrow, and the focus goes with them', async () => {
    await show([row('Chair'), row('Table'), row('Lamp')]);
    await press('items[0].price', 'ArrowDown', { altKey: true });
    expect(whats()).toEqual(['Table', 'Chair', 'Lamp']);
    expect(active()).toBe('items[1].price');
    expect(document.querySelector('p[role=status]')?.textContent).toBe('Moved to position 2 of 3.');
    await press('items[0].price', 'ArrowUp', { altKey: true });
    expect(whats()).toEqual(['Table', 'Chair', 'Lamp']);
  });

  it('are removed by the menu, and come back by Undo with what was typed since', async () => {
    await show([row('Chair'), row('Table'), row('Lamp')]);
    await click(button('Actions for row 2 of Items'));
    await click(button('Remove'));
    expect(whats()).toEqual(['Chair', 'Lamp']);
    expect(active()).toBe('items[1].what');
    await type('items[1].what', 'Lamps');
    const undo = button('Undo');
    await click(undo);
    await click(undo);
    expect(whats()).toEqual(['Chair', 'Table', 'Lamps']);
  });

  it('are duplicated, up to the maximum', async () => {
    await show([row('Chair', '5'), row('Table'), row('a'), row('b')]);
    await click(button('Actions for row 1 of Items'));
    await click(button('Duplicate'));
    expect(rows.slice(0, 2)).toEqual([row('Chair', '5'), row('Chair', '5')]);
    expect(active()).toBe('items[1].what');
    expect(button('Add row to Items')?.hasAttribute('disabled')).toBe(true);
    await press('items[0].what', 'Enter', { ctrlKey: true });
    expect(rows).toHaveLength(5);
  });

  it('show derived values and totals', async () => {
    await show([row('Chair', '1,000.50'), row('Table', '2')]);
    expect(input('items[1].total').value).toBe('9');
    expect(document.querySelector('[data-total=total]')?.textContent).toContain('9');
    expect(document.querySelector('[data-total=price]')).toBeNull();
    await type('items[1].total', '7');
    expect(rows[1]?.['total']).toBe('7');
    await click(button('Fill in from \u2068Price\u2069 and \u2068Price\u2069 again'));
    expect(rows[1]?.['total']).toBe('');
  });

  it('that are missing are an error after the form was submitted', async () => {
    await show([]);
    expect(document.querySelector('[role=alert]')).toBeNull();
    await show([], true);
    expect(document.querySelector('[role=alert]')?.textContent).toBe('Add rows: at least 1 row is needed.');
    await click(button('Add row to Items'));
    expect(document.querySelector('[role=alert]')).toBeNull();
    expect(active()).toBe('items[0].what');
  });
});

describe('the headings', () => {
  it('shorten long hints until their button is pressed', async () => {
    await show([row('Chair')]);
    const hints = () => [...document.querySelectorAll<HTMLElement>('[data-hint]')];
    const areShort = () => hints().map((hint) => hint.dataset['short'] ?? null);
    expect(hints()[0]?.textContent).toContain('the place where it was handed over');
    expect(areShort()).toEqual(['true', null]);
    const more = button('Show more: Description');
    expect(more?.getAttribute('aria-expanded')).toBe('false');
    await click(more);
    expect(areShort()).toEqual([null, null]);
    expect(more?.getAttribute('aria-expanded')).toBe('true');
    await click(button('Show less: Description'));
    expect(areShort()).toEqual(['true', null]);
    // A short hint has no button.
    expect(button('Show more: Price')).toBeUndefined();
  });
});

describe('the focus', () => {
  it('moves by arrows from cell to cell where the caret cannot move further', async () => {
    await show([row('Chair'), row('Table')]);
    const element = input('items[0].what');
    element.focus();
    element.setSelectionRange(2, 2);
    await press('items[0].what', 'ArrowRight');
    expect(active()).toBe('items[0].what');
    element.setSelectionRange(5, 5);
    await press('items[0].what', 'ArrowRight');
    expect(active()).toBe('items[0].price');
    await press('items[0].price', 'ArrowDown');
    expect(active()).toBe('items[1].price');
    expect(focused).toBe('items[1].price');
    await press('items[1].price', 'ArrowDown');
    expect(active()).toBe('items[1].price');
  });

  it('goes to the cell of a path, or to the list if there is no such row', async () => {
    await show([row('Chair')]);
    await act(async () => focusInput(document, 'items[0].price'));
    expect(active()).toBe('items[0].price');
    await act(async () => focusInput(document, 'items[7].price'));
    expect(active()).toBe('items[0].what');
  });
});

describe('rows from a spreadsheet', () => {
  const pasted = 'price\tRemark\tDescription\n5\tx\tDesk\n6\ty\tPen\n';

  it('are matched by their headings, previewed and added in place of empty rows at the end', async () => {
    await show([row('Chair'), row('')]);
    await paste('items[1].what', pasted);
    expect(rows).toHaveLength(2);
    const selects = [...document.querySelectorAll<HTMLSelectElement>('[role=dialog] select')];
    expect(selects.map(({ value }) => value)).toEqual(['=price', '', '=what']);
    await click(button('Add 2 rows'));
    expect(rows).toEqual([row('Chair'), row('Desk', '5'), row('Pen', '6')]);
    await type('items[0].what', 'Armchair');
    await click(button('Undo'));
    expect(whats()).toEqual(['Armchair', '']);
  });

  it('can replace all rows, with other columns, up to the maximum', async () => {
    await show([row('Chair')]);
    await paste('items[0].what', pasted + '7\tz\tInk\n'.repeat(9));
    const dialog = document.querySelector('[role=dialog]') as HTMLElement;
    await act(async () => {
      const [, remark] = dialog.querySelectorAll('select');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(remark, '=what');
      remark?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await click(dialog.querySelectorAll<HTMLElement>('input[type=checkbox]')[1]);
    expect(dialog.querySelector('[role=alert]')?.textContent).toContain('Only 5 rows are added');
    await click(button('Add 5 rows'));
    expect(whats()).toEqual(['x', 'y', 'z', 'z', 'z']);
    await click(button('Undo'));
    expect(whats()).toEqual(['Chair']);
  });

  it('are not a single text, which is pasted into the cell', async () => {
    await show([row('Chair')]);
    await paste('items[0].what', 'one text\n');
    expect(document.querySelector('[role=dialog]')).toBeNull();
  });
});
