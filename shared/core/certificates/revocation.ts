/**
 * Reasons for which the holder of a certificate can revoke it, with their codes (RFC 5280 section 5.3.1). Only authorities use the other
 * codes.
 */
export const REVOCATION_REASONS = {
  unspecified: 0,
  key_compromise: 1,
  superseded: 4,
  cessation_of_operation: 5,
} as const;
export type RevocationReason = keyof typeof REVOCATION_REASONS;
