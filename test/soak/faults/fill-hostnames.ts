import pg from 'pg';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { sealCertificateKey } from '../../../shared/operations/certificates/certificate-keys.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { reconcileAllEdgeValues } from '../../../shared/operations/edge/reconcile-edge-values.ts';
import type { ThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

const ZONE = 'filled.example.net';
const PER_INSERT = 1_000;

export const filledHostname = (n: number) => `customer-${n}.${ZONE}`;

/**
 * Adds live domains with a certificate of the test's CA, and publishes their values for edges as the service does. One certificate serves
 * all of them. Its private key is sealed for each domain apart.
 */
export async function fillHostnames(
  context: Context,
  url: string,
  app: AppId,
  { ca, hostnames }: { ca: ThrowawayCa; hostnames: number },
): Promise<void> {
  const { key, cert } = ca.issue(`DNS:*.${ZONE}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const startedAt = performance.now();
  const now = context.clock.now();
  const [notBefore, notAfter, renewsAt] = [now - DAY_MS, now + DAY_MS, now + DAY_MS / 2];
  const info = { issuer: 'Throw-away CA', not_before: notBefore, not_after: notAfter, renews_at: renewsAt };
  for (let first = 0; first < hostnames; first += PER_INSERT) {
    const rows = Array.from({ length: Math.min(PER_INSERT, hostnames - first) }, (_, index) => {
      const n = String(first + index).padStart(26, '0');
      const owner = { domain_id: `dom_${n}` as DomainId, serial: n };
      return {
        n,
        ...owner,
        hostname: filledHostname(first + index),
        ...sealCertificateKey(context, owner, key),
      };
    });
    const of = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
    const [domains, names] = [of('domain_id'), of('hostname')];
    await client.query(
      `insert into domains (id, app_id, mode, hostname, reversed_hostname, is_apex, status, status_since, apex_redirect, connect_token,
        txt_value, certificate, created_at, updated_at, window_opened_at, event_seq)
      select id, $3, 'live', hostname, reverse(hostname), 0, 'active', $4, 'none', id, id, $5, $4, $4, $4, 0
      from unnest($1::text[], $2::text[]) as given (id, hostname)`,
      [domains, names, app, now, JSON.stringify(info)],
    );
    await client.query(
      `insert into routes (hostname, domain_id) select * from unnest($1::text[], $2::text[])`,
      [names, domains],
    );
    await client.query(
      `insert into certificates (id, domain_id, ca, names, chain, private_key, data_key, serial, issuer, not_before, not_after, renews_at,
        created_at)
      select 'crt_' || serial, domain_id, 'throwaway', json_build_array(hostname)::text, $6, private_key, data_key, serial, $7, $8, $9, $10, $8
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as given (domain_id, hostname, private_key, data_key, serial)`,
      [
        ...[domains, names, of('private_key'), of('data_key'), of('serial')],
        ...[`${cert}${ca.certificate}`, info.issuer, notBefore, notAfter, renewsAt],
      ],
    );
  }
  await client.query('vacuum analyze');
  await client.end();
  const filledAt = performance.now();
  const values = await reconcileAllEdgeValues(context);
  const seconds = (from: number) => Math.round((performance.now() - from) / 1000);
  console.log({
    hostnames,
    values,
    filled_s: Math.round((filledAt - startedAt) / 1000),
    published_s: seconds(filledAt),
  });
}
