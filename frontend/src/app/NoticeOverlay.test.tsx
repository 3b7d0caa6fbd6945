// @vitest-environment happy-dom
import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';

import { NoticeOverlay } from './NoticeOverlay';

const mounted = vi.fn();
const unmounted = vi.fn();

function Form() {
  useEffect(() => {
    mounted();
    return unmounted;
  }, []);
  return <input />;
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  mounted.mockReset();
  unmounted.mockReset();
  document.body.innerHTML = '<div id="root"></div><div data-portal="true"><button>Close</button></div>';
});

async function renderOverlay() {
  const root = createRoot(document.getElementById('root') as HTMLElement);
  const show = (notice: string | null) =>
    act(async () =>
      root.render(
        <NoticeOverlay overlay={notice}>
          <Form />
        </NoticeOverlay>,
      ),
    );
  return show;
}

const input = () => document.querySelector('input') as HTMLInputElement;
const portal = () => document.querySelector('[data-portal]') as HTMLElement;

it('keeps the input while the notice covers it', async () => {
  const show = await renderOverlay();
  await show(null);
  input().value = 'typed';
  await show('Turn the tablet');
  expect(document.body.textContent).toContain('Turn the tablet');
  expect([input().value, input().closest('[inert]') !== null, portal().inert]).toEqual(['typed', true, true]);
  await show(null);
  expect([input().value, input().closest('[inert]'), portal().inert]).toEqual(['typed', null, false]);
  expect([mounted.mock.calls.length, unmounted.mock.calls.length]).toEqual([1, 0]);
});

it('does not load the children if the notice is there from the start', async () => {
  const show = await renderOverlay();
  await show('For desktops');
  expect(input()).toBeNull();
  await show(null);
  expect(input()).not.toBeNull();
});
