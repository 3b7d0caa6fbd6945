import { describe, expect, it } from 'vitest';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';

import { fieldOf, lengthOf, problemsOf } from './message';

describe('a message to the help center', () => {
  it('is counted as the server counts it', () => {
    expect(lengthOf('  e\u0301😀\n ')).toBe(2);
  });

  it('wants an address of guests, and a text of everybody', () => {
    expect(problemsOf({ email: ' ', message: '\n' }, true)).toEqual({
      email: 'emailRequired',
      message: 'messageRequired',
    });
    expect(problemsOf({ email: '', message: 'a' }, false)).toEqual({});
    expect(problemsOf({ email: '', message: 'a'.repeat(5001) }, false)).toEqual({
      message: 'messageTooLong',
    });
    expect(problemsOf({ email: 'a', message: 'a'.repeat(5000) }, true)).toEqual({});
  });

  it('has each refusal beside its field', () => {
    const refused = (status: number, code: ErrorCode) => fieldOf(new ApiError(status, { code, message: '' }));
    expect(refused(400, 'invalid_email')).toBe('email');
    expect(refused(400, 'undeliverable_email')).toBe('email');
    expect(refused(400, 'email_required')).toBe('email');
    expect(refused(400, 'message_too_long')).toBe('message');
    expect(refused(429, 'too_many_attempts')).toBeNull();
    expect(refused(400, 'invalid_body')).toBeNull();
    expect(fieldOf(new Error())).toBeNull();
  });
});
