import { createRequire } from 'node:module';
import { sql } from 'kysely';
import * as z from 'zod';
import { timestamp } from '../../shared/core/instant.ts';
import { pause } from '../../shared/ports/system.ts';
import { chaosSchema, toChaos } from '../chaos/chaos-schema.ts';
import type { EmulatorComposition } from '../compose.ts';
import { readSeedText } from '../seed/read-seed.ts';
import { readSeed, seedJsonSchema, seedSchema } from '../seed/seed-schema.ts';
import { DEFAULT_SECRETS } from '../state/default-account.ts';
import { exportState, importState } from '../state/snapshot.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema, errorsSchema } from './bodies.ts';
import { presentClock } from './clock.ts';

/** Resolve the file by the package's name, so that the sources and the bundle find the same file. */
const { version } = createRequire(import.meta.url)('nameplate/package.json') as { version: string };

export const getStatus: ControlAction = async ({ emulator, urls }) => ({
  ready: true,
  version,
  pid: process.pid,
  app_id: emulator.defaultApp().id,
  clock: presentClock(emulator),
  counts: await counts(emulator),
  urls: {
    api: `${urls.url}/v1`,
    edge: urls.edgeUrl,
    sandbox_origin: urls.sandboxOrigin,
    docs: `${urls.url}/docs`,
    openapi: `${urls.url}/v1/openapi.json`,
    control: `${urls.url}/_emulator`,
    dashboard: `${urls.url}/dashboard`,
  },
  keys: {
    test: DEFAULT_SECRETS.test_key,
    live: DEFAULT_SECRETS.live_key,
    webhook_secret: emulator.defaultApp().webhookSecret,
  },
});

/** Without `seed`, a reset applies the seed that the emulator was started with. With `null`, it applies no seed. */
const resetSchema = z.strictObject({ seed: seedSchema.nullable().optional() });

export const reset: ControlAction = async (call) => {
  const { seed } = readAs(resetSchema, call.body);
  await call.emulator.reset(seed === undefined ? await call.base_seed() : seed);
  return getStatus(call);
};

export const exportAll: ControlAction = async ({ emulator }) => exportState(emulator.context.store);

export const importAll: ControlAction = async (call) => {
  await call.emulator.replace((store) => importState(store, call.body));
  return getStatus(call);
};

export const getRequests: ControlAction = async ({ emulator }) => ({
  data: emulator.requests.list().map((seen) => ({ ...seen, at: timestamp(seen.at) })),
});

/** Lists the mails that the service would have sent to subscribers of connect pages. */
export const getMail: ControlAction = async ({ emulator }) => ({
  data: emulator.mails.list().map((mail) => ({ ...mail, at: timestamp(mail.at) })),
});

async function counts({ context }: EmulatorComposition): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select 'domains' as name, count(*) as count from domains where status <> 'deleted' and mode <> 'host'
    union all select 'events', count(*) from events
    union all select 'deliveries', count(*) from deliveries
    union all select 'pending_events', count(*) from events where delivery_status = 'pending'
    union all select 'jobs', count(*) from jobs`.execute(context.store.db);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** The delay before the emulator stops, so that it can send the response first. */
const STOP_AFTER_MS = 20;

/** Stops the emulator. */
export const stopEmulator: ControlAction = async ({ stop, body }) => {
  readAs(emptySchema, body);
  void pause(STOP_AFTER_MS).then(stop);
  return null;
};

/** Returns the CA certificate of the edge's HTTPS, its file, and the URL of the edge. */
export const getCa: ControlAction = async ({ ca, urls }) => ({
  certificate: ca.certificate,
  file: ca.file,
  edge_url: urls.edgeUrl,
});

/** Returns the CA certificate as a PEM file. */
export const getCaPem: ControlAction = async ({ ca }) =>
  new Response(ca.certificate, {
    headers: { 'content-type': 'application/pem-certificate-chain', 'cache-control': 'no-store' },
  });

/** Makes the next matching API requests fail with a code of `docs/api.md#errors`. */
export const forceErrors: ControlAction = async ({ emulator, body }) => {
  emulator.errors.force(readAs(errorsSchema, body));
  return { data: emulator.errors.list() };
};

/** Sets the faults for webhooks and API clients. An empty object turns all faults off. */
export const setChaos: ControlAction = async ({ emulator, body }) => {
  emulator.chaos.set(toChaos(readAs(chaosSchema, body)));
  return emulator.chaos.get();
};

export const getChaos: ControlAction = async ({ emulator }) => emulator.chaos.get();

/** Lists the forced errors that still wait for a matching API request. */
export const listForcedErrors: ControlAction = async ({ emulator }) => ({ data: emulator.errors.list() });

export const clearForcedErrors: ControlAction = async ({ emulator }) => {
  emulator.errors.clear();
  return null;
};

/** Applies a seed completely, or changes nothing. */
export const seed: ControlAction = async ({ emulator, body }) => ({
  apps: await emulator.applySeed(readSeed(body)),
});

/** Applies a seed that is given as text instead of JSON fields, so that errors can name its lines. */
export const seedText: ControlAction = async ({ emulator, body }) => {
  const { text, name } = readAs(textSchema, body);
  const { seed: read, explain } = readSeedText(text, name);
  const apps = await emulator.applySeed(read).catch((error: unknown) => {
    throw explain(error);
  });
  return { apps };
};

const textSchema = z.strictObject({
  text: z.string(),
  name: z.string().min(1).max(255).default('seed.yaml'),
});

/** Returns the JSON Schema of a seed, for editors: `# yaml-language-server: $schema=…`. */
export const getSeedSchema: ControlAction = async () => seedJsonSchema();
