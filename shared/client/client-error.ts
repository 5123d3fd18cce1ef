/** What a call of the client can throw: the API's own error, or what kept the call from an answer. */

export interface ApiErrorFields {
  code: string;
  message: string;
  fix: string;
  docs: string;
  /** The HTTP status. */
  status: number;
  /** Only with `internal_error`. */
  request_id?: string;
  status_detail?: Record<string, unknown>;
  /** Seconds that `Retry-After` asks to wait. */
  retry_after_s?: number;
}

/** A 4xx or 5xx answer: section 7. Branch on `code`; treat an unknown one as "see `docs`". */
export class ApiError extends Error implements ApiErrorFields {
  readonly code: string;
  readonly fix: string;
  readonly docs: string;
  readonly status: number;
  readonly request_id?: string;
  readonly status_detail?: Record<string, unknown>;
  readonly retry_after_s?: number;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.name = 'ApiError';
    this.code = fields.code;
    this.fix = fields.fix;
    this.docs = fields.docs;
    this.status = fields.status;
    if (fields.request_id !== undefined) this.request_id = fields.request_id;
    if (fields.status_detail !== undefined) this.status_detail = fields.status_detail;
    if (fields.retry_after_s !== undefined) this.retry_after_s = fields.retry_after_s;
  }
}

/** There was no answer that can be read: no connection, a deadline that passed, or something that is not this API. */
export class NetworkError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'NetworkError';
  }
}
