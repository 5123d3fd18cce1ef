import type { CertificateSource, ServedCertificate } from '../../../shared/ports/certificates.ts';
import type { ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

/** Certificates by hostname. A test can change them, and read which names the edge looked up. */
export interface CertificatesUnderTest extends CertificateSource {
  byName: Map<string, ServedCertificate | Error>;
  asked: string[];
}

export function certificatesFor(ca: ThrowawayCa, ...hostnames: string[]): CertificatesUnderTest {
  const byName = new Map<string, ServedCertificate | Error>();
  const asked: string[] = [];
  for (const hostname of hostnames) byName.set(hostname, certificateFor(ca, hostname));
  return {
    byName,
    asked,
    async findCertificate(hostname) {
      asked.push(hostname);
      const found = byName.get(hostname) ?? null;
      if (found instanceof Error) throw found;
      return found;
    },
  };
}

let made = 0;

export function certificateFor(ca: ThrowawayCa, hostname: string): ServedCertificate {
  const { key, cert } = ca.issue(`DNS:${hostname}`);
  return { chain: cert, private_key: key, serial: String(made++) };
}
