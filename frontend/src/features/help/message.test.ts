import { describe, expect, it } from 'vitest';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';

import { failedField, messageLength, messageProblems } from './message';

describe('a message to the help center', () => {
  it('has its length counted as the server does', () => {
    expect(messageLength('  e\u0301😀\n ')).toBe(2);
  });

  it('requires an address from guests, and a text from everyone', () => {
    expect(messageProblems({ email: ' ', message: '\n' }, true)).toEqual({
      email: 'emailRequired',
      message: 'messageRequired',
    });
    expect(messageProblems({ email: '', message: 'a' }, false)).toEqual({});
    expect(messageProblems({ email: '', message: 'a'.repeat(5001) }, false)).toEqual({
      message: 'messageTooLong',
    });
    expect(messageProblems({ email: 'a', message: 'a'.repeat(5000) }, true)).toEqual({});
  });

  it('shows each refusal at its field', () => {
    const refused = (status: number, code: ErrorCode) =>
      failedField(new ApiError(status, { code, message: '' }));
    expect(refused(400, 'invalid_email')).toBe('email');
    expect(refused(400, 'undeliverable_email')).toBe('email');
    expect(refused(400, 'email_required')).toBe('email');
    expect(refused(400, 'message_too_long')).toBe('message');
    expect(refused(429, 'too_many_attempts')).toBeNull();
    expect(refused(400, 'invalid_body')).toBeNull();
    expect(failedField(new Error())).toBeNull();
  });
});
