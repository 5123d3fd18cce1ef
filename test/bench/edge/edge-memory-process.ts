import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { createSecureContexts } from '../../../shared/edge/tls/secure-contexts.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

/** A program that measures the memory of routes and certificates in an edge. Prints one JSON document, `EdgeMemory`. */
export interface EdgeMemory {
  empty_mib: number;
  /** Memory with the number of hostnames in the field's name, and with the maximum number of certificates in memory. */
  known_1000_mib: number;
  known_100000_mib: number;
  /** Memory after `CHURN` other certificates have replaced certificates in memory. */
  churned_mib: number;
  /** Memory after twice `CHURN` certificates have been replaced. */
  churned_twice_mib: number;
}

/**
 * Number of replaced certificates. Renewals alone would replace 1700 of 100 000 certificates a day, but visits evict certificates far more
 * often.
 */
const CHURN = 20_000;

using ca = createThrowawayCa();
const { key, cert } = ca.issue('DNS:*.example.com');
const hostname = (n: number) => `careers.customer-${n}.example.com`;
const table = new RouteTable();
const contexts = createSecureContexts(
  {
    async findCertificate(name) {
      return table.find(name) === null ? null : { chain: cert, private_key: key, serial: name };
    },
  },
  EDGE_LIMITS,
);

const emptyMib = await residentMib();
await know(1_000);
const known1000Mib = await residentMib();
await know(100_000);
const known100000Mib = await residentMib();
await churn(10_000);
const churnedMib = await residentMib();
await churn(30_000);
const churnedTwiceMib = await residentMib();
const memory: EdgeMemory = {
  empty_mib: emptyMib,
  known_1000_mib: known1000Mib,
  known_100000_mib: known100000Mib,
  churned_mib: churnedMib,
  churned_twice_mib: churnedTwiceMib,
};
writeSync(1, `${JSON.stringify(memory)}\n`);
process.exit();

/** Creates a route table with this number of hostnames, and loads the certificates of the first ones. */
async function know(count: number): Promise<void> {
  const signingSecret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
  for (let n = 0; n < count; n++) {
    table.set(hostname(n), {
      changesAt: 2_000_000_000_000 + n,
      redirectsWww: false,
      route: {
        domain_id: `dom_01k${String(n).padStart(23, '0')}`,
        app_id: 'app_01k00000000000000000000001',
        hostname: hostname(n),
        origin: { kind: 'app', url: 'https://origin.example.net' },
        origin_headers: null,
        signing_secret: signingSecret,
        redirectTo: null,
      },
    });
  }
  await visit(0, Math.min(count, EDGE_LIMITS.certificates_hot_max));
}

async function churn(from: number): Promise<void> {
  await visit(from, from + CHURN);
}

async function visit(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    await contexts.find(hostname(n));
    // Lets handshakes end from time to time, because an evicted TLS context is closed only when no handshake uses it.
    if (n % 100 === 0) await delay(0);
  }
}

async function residentMib(): Promise<number> {
  await delay(100);
  globalThis.gc?.();
  await delay(100);
  return process.memoryUsage.rss() / 1024 / 1024;
}
