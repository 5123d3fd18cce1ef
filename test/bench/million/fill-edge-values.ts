import type pg from 'pg';
import { edgeKey, type HostValue, type SealedValue } from '../../../shared/core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { type Context, transact } from '../../../shared/operations/context.ts';
import { claimEpoch } from '../../../shared/store/edge/edge-values.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { valuesInsert } from '../edge/filled-replica.ts';
import { type Fill, idOf } from './fill-expressions.ts';

const PER_INSERT = 1_000;
/** About as long as a certificate of a public CA, and as a P-256 key, in PEM. */
const LEAF = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(1_400)}\n-----END CERTIFICATE-----`;
export const FILLED_KEY = `-----BEGIN PRIVATE KEY-----\n${'B'.repeat(184)}\n-----END PRIVATE KEY-----\n`;

/** The certificate with one issuer. */
export const FILLED_CHAIN = `${LEAF}\n${LEAF}\n`;

/**
 * Fills the values of edges. The service derives the values of apps. It could not derive values of hostnames, because the private keys of
 * the fill cannot be decrypted.
 */
export async function fillEdgeValues(context: Context, client: pg.Client, fill: Fill): Promise<void> {
  const { edges, store } = context;
  if (edges === null) return;
  const epoch = await claimEpoch(autocommit(store), edges.installation);
  for (let first = 1; first <= fill.apps; first += PER_INSERT)
    await transact(context, async ({ notices }) => {
      for (let n = first; n < Math.min(first + PER_INSERT, fill.apps + 1); n++)
        notices.publish({ kind: 'routes', app_id: idOf('app', n) as AppId });
      notices.publish({ kind: 'routes', app_id: fill.large.app_id });
    });
  const hosts: SealedValue[] = [];
  const insert = () => client.query(valuesInsert(hosts.splice(0)));
  for (let d = 0; d < fill.domains; d++) {
    if (!hasCertificate(d)) continue;
    const at = { key: edgeKey('host', hostnameOf(d)), epoch, number: 1 };
    hosts.push({ ...at, value: edges.box.seal(at, hostValueOf(fill, d)) });
    if (hosts.length === PER_INSERT) await insert();
  }
  if (hosts.length > 0) await insert();
}

const hostnameOf = (d: number) => `careers.customer-${d}.example.com`;

/** Whether the fill adds a certificate for a domain. */
const hasCertificate = (d: number) => d % 100 < 96 || d % 100 === 99;

function hostValueOf({ large, apps, now }: Fill, d: number): HostValue {
  const times = { not_before: now - 20 * DAY_MS, not_after: now + 70 * DAY_MS };
  return {
    domain_id: idOf('dom', d) as DomainId,
    app_id: d % 4 === 0 ? large.app_id : (idOf('app', 1 + ((d * 7_919) % apps)) as AppId),
    mode: 'live',
    is_held: false,
    ...times,
    origin: null,
    origin_headers: null,
    redirects_www: false,
    certificate: {
      serial: String(d).padStart(32, '0'),
      names: [hostnameOf(d)],
      not_after: times.not_after,
      leaf: LEAF,
      issuers: 'A'.repeat(43),
      private_key: FILLED_KEY,
    },
  };
}
