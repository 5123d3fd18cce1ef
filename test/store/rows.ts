import type { Account } from '../../shared/core/accounts/account.ts';
import type { App } from '../../shared/core/apps/app.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { type IdPrefix, makeId } from '../../shared/core/ids.ts';
import type { Delivery, StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import type { ApiKey } from '../../shared/store/accounts/api-keys.ts';
import type { StoredCertificate } from '../../shared/store/certificates/certificates.ts';
import type { PruneBefore } from '../../shared/store/prune.ts';
import type { Scope } from '../../shared/store/scope.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import { sampleApp } from '../core/apps/sample-app.ts';
import { countDomain, insertDomain } from './writes.ts';

/** This file makes complete rows with new ids for the store's tests. A test passes the fields that it wants to change. */
export const NOW = Date.UTC(2026, 10, 20, 12);

export function newId<P extends IdPrefix>(prefix: P): ReturnType<typeof makeId<P>> {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(6, ++idsMade);
  return makeId(prefix, NOW, random);
}

let idsMade = 0;

export function scopeOf({ app_id, mode }: Scope): Scope {
  return { app_id, mode };
}

export function anAccount(change: Partial<Account> = {}): Account {
  return {
    id: newId('acc'),
    name: 'Acme',
    plan: 'free',
    trial_ends_at: null,
    promotional: false,
    card_on_file: false,
    suspended: false,
    created_at: NOW,
    ...change,
  };
}

export function anApp(change: Partial<App> = {}): App {
  const id = newId('app');
  const made = { id, account_id: newId('acc'), target_label: id.slice(4), created_at: NOW };
  return sampleApp({ ...made, name: 'Careers', ...change });
}

export function aKey(change: Partial<ApiKey> = {}): ApiKey {
  const id = newId('key');
  return {
    id,
    app_id: newId('app'),
    name: 'CI',
    mode: 'live',
    prefix: 'sk_live_abcd',
    last4: 'wxyz',
    hash: `hash of ${id}`,
    created_at: NOW,
    last_used_at: null,
    revoked_at: null,
    ...change,
  };
}

/** Makes a domain of a new app, in live mode by default. */
export function aDomain(change: Partial<Domain & Scope> = {}): Domain & Scope {
  const id = newId('dom');
  return {
    id,
    app_id: newId('app'),
    mode: 'live',
    hostname: `${id.slice(4)}.example.com`,
    is_apex: false,
    status: 'pending_dns',
    status_since: NOW,
    status_before_hold: null,
    reason_before_hold: null,
    status_reason: null,
    status_detail: null,
    origin: null,
    apex_redirect: 'none',
    connect_token: `token of ${id}`,
    txt_value: 'proof',
    retired_at: null,
    routed_through: null,
    certificate: null,
    metadata: null,
    origin_headers: null,
    created_at: NOW,
    updated_at: NOW,
    window_opened_at: NOW,
    last_checked_at: null,
    next_check_at: null,
    event_seq: 0,
    last_event_at: null,
    ...change,
  };
}

export function anEvent(change: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: newId('evt'),
    domain_id: newId('dom'),
    app_id: newId('app'),
    mode: 'live',
    seq: 1,
    type: 'domain.created',
    hostname: 'careers.example.com',
    previous_status: null,
    status: 'pending_dns',
    created_at: NOW,
    body: '{}',
    webhook_epoch: 0,
    delivery_status: 'pending',
    attempts: 0,
    tries: 0,
    first_attempt_at: null,
    last_status_code: null,
    last_error: null,
    last_attempt_at: null,
    next_attempt_at: NOW,
    ...change,
  };
}

export function aDelivery(change: Partial<Delivery> = {}): Delivery {
  return {
    id: newId('dlv'),
    event_id: newId('evt'),
    app_id: newId('app'),
    attempt: 1,
    automatic: true,
    finished: false,
    status_code: null,
    response_ms: null,
    error: null,
    delivered_at: null,
    next_attempt_at: null,
    created_at: NOW,
    response_headers: null,
    response_body: null,
    ...change,
  };
}

export function aCertificate(change: Partial<StoredCertificate> = {}): StoredCertificate {
  const id = newId('crt');
  return {
    id,
    domain_id: newId('dom'),
    ca: 'first',
    names: ['careers.example.com'],
    chain: 'PEM',
    private_key: 'sealed',
    data_key: 'sealed',
    serial: id.slice(4),
    issuer: 'First CA R1',
    ari_id: null,
    not_before: NOW,
    not_after: NOW + 90 * 86_400_000,
    renews_at: NOW + 60 * 86_400_000,
    window: null,
    created_at: NOW,
    ...change,
  };
}

/** Inserts a domain and adds it to the counts of domains. @returns false if the app already has the hostname. */
export async function insertCounted(store: Store, domain: Domain): Promise<boolean> {
  if (!(await insertDomain(store, domain))) return false;
  await countDomain(autocommit(store), null, domain);
  return true;
}

/** The limits for a call of `prune` that deletes nothing. */
export const NOTHING: PruneBefore = {
  idempotency: 0,
  events: 0,
  certificates: 0,
  edgeValues: 0,
  rate_windows: 0,
  unconfirmedMail: 0,
  signInLinks: 0,
  signInChallenges: 0,
  sessions: 0,
  trafficHours: 0,
  trafficDays: 0,
  trafficWriters: 0,
  billing_events: 0,
};
