import type { ErrorBody, ErrorCode, ErrorDetails } from './types';

/** Codes of failures that the browser detects: no response, a limit without a body, or an unknown response. */
export type LocalCode = 'network' | 'too_many_requests' | 'unknown';

/** The error codes for statuses that API Gateway and the CDN send without a body. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode | LocalCode>> = {
  413: 'file_too_large',
  429: 'too_many_requests',
  431: 'headers_too_large',
};

/** Returns true if the server has refused the session's token. `SessionEndedDialog` reports that. */
export function hasSessionEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** A failed call. */
export class ApiError extends Error {
  /** The API's stable code, or a code of the browser. */
  readonly code: ErrorCode | LocalCode;
  /** The HTTP status; 0 without a response. */
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

  /**
   * Parses a response other than 2xx. Of a response that is not the API's, such as a proxy's page, only the status is
   * used.
   */
  static fromResponse(status: number, text: string): ApiError {
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
        return new ApiError(status, body as ErrorBody);
      }
    } catch {
      // The body is not JSON.
    }
    const code = CODE_BY_STATUS[status] ?? (status >= 502 ? 'unavailable' : 'unknown');
    return new ApiError(status, { code, message: `HTTP ${status}` });
  }
}
