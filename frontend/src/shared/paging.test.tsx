// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';

import { usePages } from './paging';

const leave = vi.fn();
const shown = vi.fn();

function List({
  total,
  page,
  isPlaceholderData = false,
}: Record<'total' | 'page', number> & { isPlaceholderData?: boolean }) {
  shown(usePages({ data: { total }, isPlaceholderData }, page, leave, 10));
  return null;
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  leave.mockReset();
});

const render = (list: React.ReactElement) =>
  act(async () => createRoot(document.createElement('div')).render(list));

it('leads to the last page from a page that does not exist', async () => {
  await render(<List total={21} page={9} />);
  expect(shown).toHaveBeenLastCalledWith({ pages: 3, isBeyondLastPage: true });
  expect(leave.mock.calls).toEqual([[3]]);
});

it('stays on the last page, and on the first of an empty list', async () => {
  await render(<List total={20} page={2} />);
  await render(<List total={0} page={1} />);
  expect(leave).not.toHaveBeenCalled();
});

it('waits for the response of this search', async () => {
  await render(<List total={1} page={9} isPlaceholderData />);
  expect(leave).not.toHaveBeenCalled();
});
