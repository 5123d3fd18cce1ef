import { testCertificate } from '../../../shared/core/certificates/certificate.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { makeId } from '../../../shared/core/ids.ts';

/** The time at which a fixed clock starts, in 2025. */
export const T0 = Date.UTC(2025, 5, 1, 12);

export const CERTIFICATE = testCertificate('Service Test CA', T0);

/** Creates a sample domain in test mode that has just been created at `T0`. */
export function sampleDomain(fields: Partial<Domain> = {}): Domain {
  return {
    id: makeId('dom', T0, new Uint8Array(10)),
    app_id: makeId('app', T0, new Uint8Array(10)),
    mode: 'test',
    hostname: 'careers.acme.com',
    is_apex: false,
    status: 'pending_dns',
    status_since: T0,
    status_before_hold: null,
    reason_before_hold: null,
    status_reason: null,
    status_detail: null,
    origin: null,
    apex_redirect: 'none',
    connect_token: 'connect',
    retired_at: null,
    routed_through: null,
    txt_value: 'txt',
    certificate: null,
    metadata: { team: 'people' },
    origin_headers: null,
    created_at: T0,
    updated_at: T0,
    window_opened_at: T0,
    last_checked_at: null,
    next_check_at: null,
    event_seq: 1,
    last_event_at: T0,
    ...fields,
  };
}
