import type { ErrorBody, ErrorCode, ErrorDetails } from './types';

/** What the browser itself finds: no answer came, one that is not ours, or one that says nothing. */
export type LocalCode = 'network' | 'too_many_requests' | 'unknown';

/** What API Gateway and the CDN say in a status alone. */
const BY_STATUS: Readonly<Record<number, ErrorCode | LocalCode>> = {
  413: 'file_too_large',
  429: 'too_many_requests',
  431: 'headers_too_large',
};

/** A call that did not succeed. */
export class ApiError extends Error {
  /** The API's stable code, or what the browser found. */
  readonly code: ErrorCode | LocalCode;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, body: Omit<ErrorBody, 'code'> & { code: ErrorCode | LocalCode }) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? {};
  }

  static network(): ApiError {
    return new ApiError(0, { code: 'network', message: 'The server cannot be reached.' });
  }

  /** What an answer that is not 2xx says; an answer that is not ours (a proxy's page) keeps only its status. */
  static fromAnswer(status: number, text: string): ApiError {
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
        return new ApiError(status, body as ErrorBody);
      }
    } catch {
      // not JSON: below
    }
    const code = BY_STATUS[status] ?? (status >= 502 ? 'unavailable' : 'unknown');
    return new ApiError(status, { code, message: `HTTP ${status}` });
  }
}
