import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { cpuMsOfCommand } from '../cpu-of-command.ts';
import { CLI } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { startBenchEmulator } from './bench-emulator.ts';
import { installPeers, type PeerClis } from './peer-clis.ts';

const ROUNDS = 15;
const LISTED = 20;

/**
 * Measures the CPU time of `--version`, `--help` and a list. The column "floor" has the times of Stripe's and Shopify's CLIs from npm.
 * Stripe's list comes from a server on this machine. Shopify's CLI can list only from Shopify's servers, so its list is local and empty.
 */
export async function peerCommands(): Promise<BenchRow[]> {
  const peers = await installPeers().catch((error) => {
    console.error(`SKIPPED peer-commands: npm could not install the others: ${error.message}`);
    return null;
  });
  if (peers === null) return [];
  const home = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  const emulator = await startBenchEmulator();
  const stripe = await startStripeApi();
  try {
    for (let i = 0; i < LISTED; i++)
      await emulator.request('POST', '/v1/domains', { hostname: `careers.example-${i}.com` });
    const env = environment(home, { NAMEPLATE_BASE_URL: emulator.url, NAMEPLATE_API_KEY: emulator.test_key });
    const samples = await interleave(
      ROUNDS,
      Object.fromEntries(
        Object.entries(commandsOf(peers, stripe.url)).map(([name, words]) => [
          name,
          () => cpuMsOfCommand([process.execPath, ...words], env),
        ]),
      ),
    );
    return rowsOf(samples);
  } finally {
    stripe.close();
    await emulator.stop();
    rmSync(home, { recursive: true, force: true });
    peers.remove();
  }
}

const QUESTIONS = ['--version', '--help', 'list'] as const;
const PEERS = ['stripe', 'shopify'] as const;

function commandsOf({ stripe, shopify }: PeerClis, stripeApi: string): Record<string, string[]> {
  const server = ['--api-base', stripeApi, '--api-key', 'sk_test_0123456789abcdefghijklmn'];
  return {
    'nameplate --version': [CLI, '--version'],
    'stripe --version': [stripe, '--version'],
    'shopify --version': [shopify, '--version'],
    'nameplate --help': [CLI, '--help'],
    'stripe --help': [stripe, '--help'],
    'shopify --help': [shopify, '--help'],
    'nameplate list': [CLI, 'domains', 'list', '--json'],
    'stripe list': [stripe, 'customers', 'list', ...server],
    'shopify list': [shopify, 'store', 'auth', 'list', '--json'],
  };
}

/** Returns the rows of the report. The target is that our CLI takes no more CPU time than the other CLI. */
function rowsOf(samples: Record<string, number[]>): BenchRow[] {
  const of = (name: string) => median(samples[name] ?? []);
  return QUESTIONS.flatMap((question) =>
    PEERS.map((peer) => {
      const [value, floor] = [of(`nameplate ${question}`), of(`${peer} ${question}`)];
      const target = { text: `at most ${peer}'s`, isMet: value <= floor };
      return { name: `nameplate ${question} beside ${peer}, cpu`, unit: 'ms', value, floor, target };
    }),
  );
}

/** Returns an environment with a separate home folder, no telemetry, and a dead proxy, so that network requests fail immediately. */
function environment(home: string, ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    XDG_STATE_HOME: path.join(home, 'state'),
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1',
    CI: '1',
    STRIPE_CLI_TELEMETRY_OPTOUT: '1',
    SHOPIFY_CLI_NO_ANALYTICS: '1',
    ...ours,
  };
}

/** Starts a server with the part of Stripe's API that the list of Stripe's CLI needs. */
async function startStripeApi(): Promise<{ url: string; close(): void }> {
  const data = Array.from({ length: LISTED }, (_, n) => ({
    id: `cus_${n}`,
    object: 'customer',
    email: `customer-${n}@example.com`,
    metadata: {},
  }));
  const body = JSON.stringify({ object: 'list', url: '/v1/customers', has_more: false, data });
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
