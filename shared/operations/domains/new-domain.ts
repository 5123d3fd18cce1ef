import type { Domain } from '../../core/domains/domain.ts';
import type { TxContext } from '../context.ts';
import { randomToken } from '../random-token.ts';

type Given = Pick<Domain, 'app_id' | 'mode' | 'hostname' | 'is_apex' | 'apex_redirect'> &
  Partial<Pick<Domain, 'origin' | 'metadata' | 'origin_headers'>>;

/** Returns a new domain in the status `pending_dns`, with a new id and new tokens. */
export function newDomain(tx: TxContext, given: Given): Domain {
  const now = tx.clock.now();
  return {
    id: tx.ids('dom'),
    status: 'pending_dns',
    status_since: now,
    status_before_hold: null,
    reason_before_hold: null,
    status_reason: null,
    status_detail: null,
    origin: null,
    connect_token: randomToken(tx),
    txt_value: randomToken(tx),
    retired_at: null,
    routed_through: null,
    certificate: null,
    metadata: null,
    origin_headers: null,
    created_at: now,
    updated_at: now,
    window_opened_at: now,
    last_checked_at: null,
    next_check_at: null,
    event_seq: 0,
    last_event_at: null,
    ...given,
  };
}
