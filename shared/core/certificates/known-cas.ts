import { DAY_MS } from '../instant.ts';
import type { Allowance, Ca } from './ca.ts';

/** Public ACME certificate authorities that an operator may configure by name alone, with the names that CAA records use for them. */
export const KNOWN_CAS: Readonly<
  Record<string, Pick<Ca, 'directory_url' | 'caa_issuers'> & { needsEab: boolean; certificates?: Allowance }>
> = {
  letsencrypt: {
    directory_url: 'https://acme-v02.api.letsencrypt.org/directory',
    caa_issuers: ['letsencrypt.org'],
    needsEab: false,
    // https://letsencrypt.org/docs/rate-limits/
    certificates: { limit: 5, window_ms: 7 * DAY_MS },
  },
  'letsencrypt-staging': {
    directory_url: 'https://acme-staging-v02.api.letsencrypt.org/directory',
    caa_issuers: ['letsencrypt.org'],
    needsEab: false,
  },
  google: {
    directory_url: 'https://dv.acme-v02.api.pki.goog/directory',
    caa_issuers: ['pki.goog'],
    needsEab: true,
  },
  zerossl: {
    directory_url: 'https://acme.zerossl.com/v2/DV90',
    caa_issuers: ['sectigo.com'],
    needsEab: true,
  },
};
