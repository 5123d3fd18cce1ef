import { codeOnWire, type ErrorCode, ServiceError, type ServiceErrorOptions } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { ErrorEnvelope } from '../error.ts';

/**
 * Returns an example of an error envelope (`docs/api.md#errors`) with the given settings, for the OpenAPI document and the error code's
 * page.
 */
export function errorExample(code: ErrorCode, settings: Pick<Settings, 'names' | 'docsUrl'>): ErrorEnvelope {
  const { message, fix, status_detail } = exampleError(code);
  const wireCode = codeOnWire(code, settings);
  const docs = `${settings.docsUrl}/errors/${wireCode}`;
  return {
    error: {
      code: wireCode,
      message,
      fix,
      docs,
      ...REQUEST_ID[code],
      ...(status_detail && { status_detail }),
    },
  };
}

/** Creates the error of a code with the data and the Retry-After that the service sends with it. */
export function exampleError(code: ErrorCode): ServiceError {
  return new ServiceError(code, EXTRAS[code]);
}

const FIELD_PROBLEM = { path: 'metadata', message: 'must be at most 4096 bytes as JSON' };

const REQUEST_ID: Partial<Record<ErrorCode, Pick<ErrorEnvelope['error'], 'request_id'>>> = {
  internal_error: { request_id: 'req_01k9v3m8x7c5d2f0q4t6w1z8ab' },
};

const EXTRAS: Partial<Record<ErrorCode, ServiceErrorOptions>> = {
  idempotency_key_in_use: { retry_after_s: 1 },
  validation_failed: {
    message: `${FIELD_PROBLEM.path}: ${FIELD_PROBLEM.message}`,
    status_detail: { fields: [FIELD_PROBLEM] },
  },
  domain_limit_reached: {
    status_detail: {
      plan: 'growth',
      trial: false,
      used: 100,
      limit: 100,
      hostname: 'careers.acme.com',
      plans: [{ plan: 'scale', included: 500, limit: 1000 }],
    },
  },
  rate_limited: { retry_after_s: 1 },
  // The `fix` of this error tells clients to try again in a minute.
  billing_unavailable: { retry_after_s: 60 },
  service_unavailable: { retry_after_s: 1 },
  database_unavailable: { retry_after_s: 1 },
};
