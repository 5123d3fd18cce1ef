import type { EventType } from '../webhooks/event.ts';
import { AWAITING_DNS, type Status } from './status.ts';

/** Everything that can happen to a domain. The emulator's `trigger` command uses these names. */
export const TRIGGERS = [
  'create',
  'recreate',
  'dns_seen',
  'dns_unseen',
  'dns_confirmed',
  'dns_gone',
  'whitelabel_grace_passed',
  'window_passed',
  'certificate_issued',
  'issuance_failed',
  'certificate_renewed',
  'renewal_failed',
  'certificate_lapsed',
  'retry_issuance',
  'hold',
  'release',
  'delete',
] as const;
export type TriggerName = (typeof TRIGGERS)[number];

/**
 * A trigger that a person can force in the emulator. `challenge_delegated` stands for a customer who delegates the challenges, which
 * changes no status. Creating a domain is excluded, because it takes an API call.
 */
export type ManualTrigger = TriggerName | 'challenge_delegated';
export const MANUAL_TRIGGERS: readonly ManualTrigger[] = [
  ...TRIGGERS.filter((name) => name !== 'create' && name !== 'recreate'),
  'challenge_delegated',
];

/** A condition under which a row of `TRANSITIONS` applies. The first row that matches is used. */
export type Condition = 'certificate_valid' | 'certificate_invalid';

/** Changes that a transition makes to a domain in addition to its status. The store applies them in the same transaction. */
export type Effect =
  | 'note_check'
  | 'open_window'
  | 'extend_window'
  | 'check_at_once'
  | 'store_certificate'
  | 'drop_certificate'
  | 'take_route'
  | 'drop_route'
  | 'drop_check'
  | 'drop_preparation'
  | 'abandon_order'
  | 'suspend_order';

export interface Transition {
  /**
   * The place that specifies the transition: `3.<n>` for row n of the first version's table, or the docs page that added the transition.
   */
  source: string;
  on: TriggerName;
  from: readonly (Status | null)[];
  /** `previous` is the status before the hold. */
  to: Status | 'previous';
  when?: Condition;
  emits: EventType | null;
  effects?: readonly Effect[];
}

/** Every status in which the API still shows the domain: all but `deleted`. */
const EXISTING = [
  'pending_dns',
  'verifying',
  'issuing',
  'active',
  'dns_broken',
  'cert_failed',
  'expired',
  'held',
] as const satisfies readonly Status[];
const NOT_HELD = EXISTING.filter((status) => status !== 'held');
const LIVE = ['active', 'cert_failed', 'issuing'] as const satisfies readonly Status[];

/**
 * The state machine of `docs/api.md#states-and-transitions` as data. If no row has both a trigger and a status, the trigger is refused in
 * this status.
 */
export const TRANSITIONS: readonly Transition[] = [
  {
    source: '3.1',
    on: 'create',
    from: [null],
    to: 'pending_dns',
    emits: 'domain.created',
    effects: ['open_window'],
  },
  {
    source: '3.2',
    on: 'recreate',
    from: ['expired'],
    to: 'pending_dns',
    emits: null,
    effects: ['open_window', 'drop_check'],
  },
  {
    source: 'docs/domains.md: seen by some',
    on: 'dns_seen',
    from: ['pending_dns'],
    to: 'verifying',
    emits: null,
    effects: ['note_check'],
  },
  {
    source: 'docs/domains.md: seen by none',
    on: 'dns_unseen',
    from: ['verifying'],
    to: 'pending_dns',
    emits: null,
    effects: ['note_check'],
  },
  {
    source: '3.4',
    on: 'dns_confirmed',
    from: AWAITING_DNS,
    to: 'issuing',
    emits: 'domain.verified',
    effects: ['note_check', 'take_route', 'abandon_order'],
  },
  {
    source: '3.5',
    on: 'certificate_issued',
    from: ['issuing'],
    to: 'active',
    emits: 'domain.active',
    effects: ['store_certificate'],
  },
  {
    source: '3.6',
    on: 'dns_gone',
    from: LIVE,
    to: 'dns_broken',
    emits: 'domain.dns_broken',
    effects: ['note_check', 'abandon_order'],
  },
  { source: '3.7', on: 'issuance_failed', from: ['issuing'], to: 'cert_failed', emits: 'domain.cert_failed' },
  { source: '3.7', on: 'renewal_failed', from: ['active'], to: 'cert_failed', emits: 'domain.cert_failed' },
  {
    source: '3.8',
    on: 'certificate_renewed',
    from: ['active'],
    to: 'active',
    emits: 'domain.certificate_renewed',
    effects: ['store_certificate'],
  },
  {
    source: '3.9',
    on: 'delete',
    from: EXISTING,
    to: 'deleted',
    emits: 'domain.deleted',
    effects: ['drop_route', 'drop_check', 'drop_certificate'],
  },
  {
    source: '3.10',
    on: 'hold',
    from: NOT_HELD,
    to: 'held',
    emits: 'domain.held',
    effects: ['abandon_order'],
  },
  {
    source: '3.11',
    on: 'release',
    from: ['held'],
    to: 'previous',
    emits: 'domain.released',
    effects: ['extend_window', 'check_at_once', 'suspend_order'],
  },
  { source: '3.12', on: 'retry_issuance', from: ['cert_failed'], to: 'issuing', emits: null },
  {
    source: '3.13',
    on: 'whitelabel_grace_passed',
    from: LIVE,
    to: 'dns_broken',
    emits: 'domain.dns_broken',
    effects: ['abandon_order'],
  },
  {
    source: 'docs/domains.md: 72 hours since the window opened',
    on: 'window_passed',
    from: AWAITING_DNS,
    to: 'expired',
    emits: null,
    effects: ['note_check', 'drop_preparation'],
  },
  {
    source: 'docs/domains.md: the daily retry succeeds',
    on: 'certificate_issued',
    from: ['cert_failed'],
    to: 'active',
    emits: 'domain.active',
    effects: ['store_certificate'],
  },
  {
    source: 'docs/domains.md: repaired, certificate still valid',
    on: 'dns_confirmed',
    from: ['dns_broken'],
    when: 'certificate_valid',
    to: 'active',
    emits: 'domain.active',
    effects: ['note_check', 'take_route', 'abandon_order'],
  },
  {
    source: 'docs/domains.md: repaired, no valid certificate',
    on: 'dns_confirmed',
    from: ['dns_broken'],
    when: 'certificate_invalid',
    to: 'issuing',
    emits: 'domain.verified',
    effects: ['note_check', 'take_route', 'abandon_order'],
  },
  {
    source: 'docs/domains.md: the certificate has lapsed',
    on: 'certificate_lapsed',
    from: ['active'],
    when: 'certificate_invalid',
    to: 'issuing',
    emits: null,
  },
];
