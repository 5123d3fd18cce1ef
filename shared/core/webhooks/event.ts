/** The nine event types of `docs/api.md#webhooks`. */
export const EVENT_TYPES = [
  'domain.created',
  'domain.verified',
  'domain.active',
  'domain.dns_broken',
  'domain.cert_failed',
  'domain.certificate_renewed',
  'domain.deleted',
  'domain.held',
  'domain.released',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
