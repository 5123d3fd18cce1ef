import { apexOf } from '../../shared/core/domains/hostname.ts';
import type { RouteTable } from '../../shared/edge/routing/route-table.ts';
import { openCertificateKey } from '../../shared/operations/certificates/certificate-keys.ts';
import { certificateSource } from '../../shared/operations/certificates/served-certificates.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { CertificateSource, ServedCertificate } from '../../shared/ports/certificates.ts';
import type { StoredCertificate } from '../../shared/store/certificates/certificates.ts';

/**
 * The source of certificates for an edge's handshakes. Keeps copies of certificates in memory, with keys encrypted as in the database, and
 * reads other certificates from the database.
 */
export interface EdgeCertificates extends CertificateSource {
  /** Returns true if there is space for a copy of the hostname's certificate. */
  wants(hostname: string): boolean;
  /**
   * Keeps a copy of a hostname's certificate.
   *
   * @param certificate the newest certificate of the domain with this hostname; null if there is none.
   */
  remember(hostname: string, certificate: StoredCertificate | null): void;
  /** Drops the copies of all hostnames for which `has` returns false. */
  keepOnly(has: (hostname: string) => boolean): void;
}

/** Maximum number of copies, about 3 KB each. Further certificates are read from the database when a handshake needs them. */
const REMEMBERED_MAX = 20_000;

/** Creates the certificate source of an edge. The source sends no query for a hostname that no domain has. */
export function createEdgeCertificates(
  context: Context,
  table: RouteTable,
  rememberedMax = REMEMBERED_MAX,
): EdgeCertificates {
  const source = certificateSource(context);
  const copies = new Map<string, Copy>();
  /** The issuer chains of the copies. Each chain is stored once, because most certificates have the same chain. */
  const issuers = new Map<string, string>();

  const wants = (hostname: string) => copies.size < rememberedMax || copies.has(hostname);

  function open(copy: Copy, hostname: string): ServedCertificate | null {
    if (!copy.names.includes(hostname) || copy.not_after <= context.clock.now()) return null;
    const chain = copy.leaf.toString('latin1') + copy.issuers;
    return { chain, serial: copy.serial, private_key: openCertificateKey(context, copy) };
  }

  return {
    async findCertificate(hostname) {
      if (!table.isOwned(hostname)) return null;
      const copy = copies.get(hostname) ?? copies.get(apexOf(hostname) ?? '');
      return (copy && open(copy, hostname)) ?? source.findCertificate(hostname);
    },
    isGone: (hostname) => table.leadsNowhere(hostname),
    wants,
    keepOnly(has) {
      for (const hostname of [...copies.keys()]) if (!has(hostname)) copies.delete(hostname);
    },
    remember(hostname, certificate) {
      if (certificate === null || !wants(hostname)) {
        copies.delete(hostname);
        return;
      }
      const { chain, names, serial, domain_id, private_key, data_key, not_after } = certificate;
      const end = chain.indexOf(LEAF_END) + LEAF_END.length;
      const rest = chain.slice(end);
      if (!issuers.has(rest)) {
        // Clear all chains if there are too many. This is rare, because intermediate certificates change only a few times a year.
        if (issuers.size >= ISSUERS_MAX) issuers.clear();
        issuers.set(rest, rest);
      }
      copies.set(hostname, {
        // Copies the bytes, because a substring keeps its whole source string in memory.
        leaf: Buffer.from(chain.slice(0, end), 'latin1'),
        issuers: issuers.get(rest) ?? rest,
        names,
        serial,
        domain_id,
        private_key,
        data_key,
        not_after,
      });
    },
  };
}

interface Copy
  extends Pick<
    StoredCertificate,
    'names' | 'serial' | 'domain_id' | 'private_key' | 'data_key' | 'not_after'
  > {
  leaf: Buffer;
  issuers: string;
}

const LEAF_END = '-----END CERTIFICATE-----';
const ISSUERS_MAX = 100;
