import type { Ca } from './ca.ts';

/**
 * Returns the values of the CAA records that let only our accounts order certificates for a name (RFC 8657 section 3). There
 * is one for each authority at which we have an account.
 */
export function issuanceLock(
  accounts: readonly { ca: Pick<Ca, 'caa_issuers'>; accountUrl: string | null }[],
): string[] {
  return accounts.flatMap(({ ca: { caa_issuers }, accountUrl }) => {
    const [issuer] = caa_issuers;
    // A quote or a semicolon would end the value early. No known authority has account URLs that contain one.
    if (issuer === undefined || accountUrl === null || /[";\\\s]/.test(accountUrl)) return [];
    return [`0 issue "${issuer}; accounturi=${accountUrl}"`];
  });
}
