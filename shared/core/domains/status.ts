/** The nine domain states of `docs/api.md#states-and-transitions`. */
export const STATUSES = [
  'pending_dns',
  'verifying',
  'issuing',
  'active',
  'dns_broken',
  'cert_failed',
  'expired',
  'held',
  'deleted',
] as const;
export type Status = (typeof STATUSES)[number];

/** The statuses of a domain whose record is not confirmed yet. */
export const AWAITING_DNS = ['pending_dns', 'verifying'] as const satisfies readonly Status[];

export function isAwaitingDns(status: Status): boolean {
  return (AWAITING_DNS as readonly Status[]).includes(status);
}

/** The modes of API keys and of the domains they create (`docs/api.md#the-service`). */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/**
 * The mode of a stored domain: the mode of its API key, or `host` for an app's white-label host. The API does not show a domain of the mode
 * `host`, and such a domain emits no events (`decisions/0049`).
 */
export type DomainMode = Mode | 'host';

export const APEX_REDIRECTS = ['none', 'www'] as const;
export type ApexRedirect = (typeof APEX_REDIRECTS)[number];
