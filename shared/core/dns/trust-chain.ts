import { createHash } from 'node:crypto';
import { isDefinite } from './dns-confirmation.ts';
import type { DnsSurvey, SeenRecord, TrustLink } from './dns-survey.ts';

/** A zone whose DS records match none of its keys. Resolvers that validate DNSSEC then reject every answer. */
export interface BrokenLink {
  zone: string;
  /** The zone that contains the DS records. */
  parent: string;
  ds: readonly SeenRecord[];
}

/**
 * Returns the first broken link of a DNSSEC chain of trust (RFC 4035 section 5.2), starting at the registry. Returns null if no link is
 * broken, or if the keys of a zone are not known from all of its servers. Stops at a zone without DS records, because resolvers validate
 * nothing below it.
 */
export function brokenLink({ probes }: Pick<DnsSurvey, 'probes'>): BrokenLink | null {
  for (const link of probes.trust) {
    const ds = link.ds.records.filter(({ type, value }) => type === 'DS' && isValidated(value));
    const isTold = link.keys.length > 0 && link.keys.every(isDefinite);
    if (ds.length === 0 || !isTold) return null;
    const fitting = fittingDs(link, new Set(ds.map(({ value }) => value.split(' ')[2] ?? '')));
    if (!ds.some(({ value }) => fitting.has(withoutTag(value))))
      return { zone: link.zone, parent: link.parent, ds };
  }
  return null;
}

/**
 * Algorithms of keys that resolvers validate (RFC 8624 section 3.1). A DS record with another algorithm is ignored (RFC 6840 section 5.2).
 */
const ALGORITHMS: ReadonlySet<string> = new Set(['5', '7', '8', '10', '13', '14', '15', '16']);
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

function isValidated(ds: string): boolean {
  const [, algorithm = '', digestType = ''] = ds.split(' ');
  return ALGORITHMS.has(algorithm) && digestType in DIGESTS;
}

/**
 * Returns the DS records that would fit a zone's keys, without the key tag. The owner of a zone decides how many keys and DS records there
 * are. So each key is hashed once, and not once for each DS record.
 */
function fittingDs({ zone, keys }: TrustLink, digestTypes: ReadonlySet<string>): Set<string> {
  const records = keys.flatMap((lookup) => lookup.records.filter(({ type }) => type === 'DNSKEY'));
  const own = [...new Set(records.map(({ value }) => value))].filter(signsZone);
  const name = wireName(zone);
  const fitting = own.flatMap((key) => {
    const data = Buffer.concat([name, keyData(key)]);
    return [...digestTypes].map((type) => {
      const digest = createHash(DIGESTS[type] ?? '')
        .update(data)
        .digest('hex');
      return `${key.split(' ')[2]} ${type} ${digest}`;
    });
  });
  return new Set(fitting);
}

function withoutTag(ds: string): string {
  return ds.split(' ').slice(1).join(' ').toLowerCase();
}

const ZONE_KEY = 0x0100;
const REVOKED = 0x0080;

/** Returns whether a DNSKEY is a key of the zone that is not revoked (RFC 4034 section 2.1.1, RFC 5011 section 2.1). */
function signsZone(key: string): boolean {
  const flags = Number(key.split(' ')[0]);
  return (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0;
}

/** Returns the record data of a DNSKEY: flags, protocol, algorithm and the key. */
function keyData(key: string): Buffer {
  const [flags = '', protocol = '', algorithm = '', publicKey = ''] = key.split(' ');
  const head = Buffer.alloc(4);
  head.writeUInt16BE(Number(flags));
  head.writeUInt8(Number(protocol), 2);
  head.writeUInt8(Number(algorithm), 3);
  return Buffer.concat([head, Buffer.from(publicKey, 'base64')]);
}

function wireName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}
