/** Errors that a call of the client can throw: an error of the API, or a failure to get a response. */

export interface ApiErrorFields {
  code: string;
  message: string;
  fix: string;
  docs: string;
  /** HTTP status of the response. */
  status: number;
  /** The id of the request. Set only for `internal_error`. */
  request_id?: string;
  status_detail?: Record<string, unknown>;
  /** Seconds to wait, from the `Retry-After` header. */
  retry_after_s?: number;
}

/** A response with a 4xx or 5xx status (`docs/api.md#errors`). Branch on `code`. For an unknown code, refer to the page at `docs`. */
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

/** A call without a usable response: the connection failed, the deadline passed, or the response is not from this API. */
export class NetworkError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'NetworkError';
  }
}
