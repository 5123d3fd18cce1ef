import { keyRings, ringText } from '../../../service/settings/key-rings.ts';
import { systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { createValueBox } from '../../../shared/adapters/value-box.ts';
import {
  type AppValue,
  edgeKey,
  type HostValue,
  type SealedValue,
  splitChain,
} from '../../../shared/core/edge/edge-value.ts';
import { type AppId, type DomainId, makeId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

/** The hostnames belong to this number of apps. */
const APPS = 100;
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
/** Names that a certificate contains besides the wildcard, so that it is as long as one of a public CA: about 1.5 kB in PEM. */
const PADDING_NAMES = 12;

/** The encryption keys of the benches, as a setting, and the value box with the keys derived from them. */
const KEY = Buffer.alloc(32, 9);
export const SAMPLE_KEYS = `k1:${KEY.toString('base64')}`;
const { edgeKeys } = keyRings({
  encryptionKeys: { current: 'k1', keys: new Map([['k1', KEY]]) },
  edgeKeys: null,
  dataDir: '',
});
export const SAMPLE_EDGE_KEYS = ringText(edgeKeys);
export const SAMPLE_BOX = createValueBox(edgeKeys, systemRandom);

export const sampleHostname = (n: number) => `customer-${n}.example.com`;

/** Values of edges for any number of hostnames, sealed, with a real certificate that all hostnames share. */
export interface SampleValues {
  /** The number of values besides those of hostnames. */
  shared: readonly SealedValue[];
  /** Returns the value of a hostname, whose domain may have an origin of its own. */
  host(n: number, options?: { origin?: string; number?: number }): SealedValue;
  /** Returns the values of hostnames from one number up to another. */
  hosts(from: number, to: number): SealedValue[];
}

export interface SampleOptions {
  hostnameOf?: (n: number) => string;
  /** The certificate of all hostnames with its issuers, and its key, in PEM. By default, a throwaway CA issues a certificate. */
  chain?: string;
  privateKey?: string;
}

/** @param origin the URL of the origin of all apps. */
export function createSampleValues(
  origin: string,
  { hostnameOf = sampleHostname, ...given }: SampleOptions = {},
): SampleValues {
  const { chain, privateKey } = { ...issueCertificate(), ...given };
  const { leaf, issuers, rest } = splitChain(chain);
  const now = systemClock.now();
  const idOf = <P extends 'app' | 'dom'>(prefix: P, n: number) => {
    const random = new Uint8Array(10);
    new DataView(random.buffer).setUint32(6, n);
    return makeId(prefix, 0, random);
  };
  const seal = (at: string, value: object, number = 1): SealedValue => {
    const version = { key: at, epoch: 1, number };
    return { ...version, value: SAMPLE_BOX.seal(version, value) };
  };
  const app: AppValue = {
    origin,
    secret: SECRET,
    previous: null,
    domain_origins: { before: true, changes_at: null, after: true },
  };
  const host: SampleValues['host'] = (n, { origin: own = null as string | null, number = 1 } = {}) => {
    const hostname = hostnameOf(n);
    const value: HostValue = {
      domain_id: idOf('dom', n) as DomainId,
      app_id: idOf('app', n % APPS) as AppId,
      mode: 'live',
      is_held: false,
      not_before: now - DAY_MS,
      not_after: now + 80 * DAY_MS,
      origin: own,
      origin_headers: { 'X-Tenant': `customer-${n}` },
      redirects_www: false,
      certificate: {
        serial: n.toString(16).padStart(36, '0'),
        names: [hostname],
        not_after: now + 80 * DAY_MS,
        leaf,
        issuers,
        private_key: privateKey,
      },
    };
    return seal(edgeKey('host', hostname), value, number);
  };
  return {
    shared: [
      seal(edgeKey('chain', issuers), { chain: rest }),
      ...Array.from({ length: APPS }, (_, n) => seal(edgeKey('app', idOf('app', n)), app)),
    ],
    host,
    hosts: (from, to) => Array.from({ length: to - from }, (_, n) => host(from + n)),
  };
}

function issueCertificate(): { chain: string; privateKey: string } {
  using ca = createThrowawayCa();
  const padding = Array.from(
    { length: PADDING_NAMES },
    (_, n) => `DNS:padding-${n}.${'x'.repeat(50)}.example.net`,
  );
  const { key, cert } = ca.issue(['DNS:*.example.com', ...padding].join());
  return { chain: `${cert}${ca.certificate}`, privateKey: key };
}
