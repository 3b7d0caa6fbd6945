// @vitest-environment happy-dom
import { MutationObserver } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';

import { ApiError } from '@/api/error';
import { startI18n } from '@/shared/i18n/i18n';

import { queryClient } from './queryClient';

beforeAll(() => startI18n('en'));
const toastError = vi.spyOn(toast, 'error').mockReturnValue('');
afterEach(() => toastError.mockClear());

async function fail(error: unknown, failureText?: (msg: string) => string) {
  const observer = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(error as Error),
    ...(failureText && { meta: { failureText } }),
  });
  await observer.mutate().catch(() => undefined);
  return toastError.mock.calls.map(([text]) => text);
}
const refusal = (status: number) => new ApiError(status, { code: 'unknown', message: 'no' });

it('reports a failed action in the words of its screen', async () => {
  expect(await fail(refusal(409), (msg) => `Not deleted: ${msg}`)).toEqual([
    expect.stringMatching(/^Not deleted: ./),
  ]);
});

it('leaves an ended session to its dialog', async () => {
  expect(await fail(refusal(401), (msg) => `Not deleted: ${msg}`)).toEqual([]);
});

it('leaves a failure without a text to its screen', async () => {
  expect(await fail(refusal(409))).toEqual([]);
});
