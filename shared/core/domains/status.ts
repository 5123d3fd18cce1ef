/** The nine domain states of section 3. */
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

/** The modes of API keys and of the domains they create (section 1). */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

export const APEX_REDIRECTS = ['none', 'www'] as const;
export type ApexRedirect = (typeof APEX_REDIRECTS)[number];
