import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { type EdgeUnderTest, edgeWith, HOST, route } from '../edge-under-test.ts';
import type { Field } from '../wire/raw-http2.ts';
import { certificatesFor } from './certificates-under-test.ts';

const certificates = issueCertificates();

function issueCertificates() {
  using ca = createThrowawayCa();
  return certificatesFor(ca, HOST, 'www.acme.com', 'held.acme.com', 'unknown.acme.com');
}

/** The pseudo-headers of a request for HOST, without the method. */
export const PSEUDO: readonly Field[] = [
  [':scheme', 'https'],
  [':authority', HOST],
  [':path', '/'],
];

/** Starts an edge with TLS that forwards requests for HOST to this origin. */
export function edgeTo(url: string, options: Parameters<typeof edgeWith>[1] = {}): Promise<EdgeUnderTest> {
  const routes = {
    [HOST]: route(url, { origin_headers: { 'X-Tenant': 'acme' } }),
    'www.acme.com': route(null, { redirectTo: 'acme.com' }),
    'held.acme.com': 'held' as const,
  };
  return edgeWith(routes, { scheme: 'https', tls: { certificates }, ...options });
}
