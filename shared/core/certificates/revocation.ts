/** Reasons for which the holder of a certificate revokes it, with their codes (RFC 5280 section 5.3.1). The rest are the authority's. */
export const REVOCATION_REASONS = {
  unspecified: 0,
  key_compromise: 1,
  superseded: 4,
  cessation_of_operation: 5,
} as const;
export type RevocationReason = keyof typeof REVOCATION_REASONS;
