import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startBenchEmulator } from '../cli/bench-emulator.ts';
import { type MeasuredProcess, startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';

const ROUNDS = 6;
const REQUESTS = 2_000;
const CONNECTIONS = 20;
/** The API must reach at least this share of the request rate of a bare h3 handler. */
const SHARE_MIN = 0.4;
/** Number of API keys. The emulator allows 200 concurrent requests for each key, so with this many keys no request waits. */
const KEYS = ((ROUNDS + 1) * REQUESTS) / 200;

interface Load {
  per_s: number;
  per_cpu_s: number;
}

/** Measures requests per second of `GET /v1/domains/{id}`, compared with a bare h3 handler that responds with the same JSON. */
export async function getDomain(): Promise<BenchRow[]> {
  const emulator = await startBenchEmulator();
  let bare: MeasuredProcess | undefined;
  const pools: Pool[] = [];
  try {
    const { id } = await emulator.request('POST', '/v1/domains', { hostname: 'careers.example.com' });
    // Moves the clock until the domain is active, because its JSON changes until then.
    await emulator.request('POST', '/_emulator/clock/advance', { by: '1m' });
    const target = `/v1/domains/${id}`;
    const keys: string[] = [];
    while (keys.length < KEYS) {
      const { key } = await emulator.request('POST', '/v1/keys', {
        name: `bench ${keys.length}`,
        mode: 'test',
      });
      keys.push(String(key));
    }
    const body = JSON.stringify(await emulator.request('GET', target));
    bare = startProcess([fileURLToPath(import.meta.resolve('./bare-h3.ts'))], { BODY: body });
    const { url: bareUrl } = (await bare.document()) as { url: string };

    const load = (server: MeasuredProcess, url: string) => {
      const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
      pools.push(pool);
      return () => measure(server, pool, target, body, keys);
    };
    const samples = await interleave<'api' | 'floor', Load>(ROUNDS, {
      api: load(emulator.process, emulator.url),
      floor: load(bare, bareUrl),
    });
    const row = (kind: keyof Load, unit: string): BenchRow => {
      const value = median(samples.api.map((sample) => sample[kind]));
      const floor = median(samples.floor.map((sample) => sample[kind]));
      const target = { text: `${SHARE_MIN} of it`, isMet: value >= SHARE_MIN * floor };
      return { name: `GET /v1/domains/{id}, ${unit}`, unit: '', value, floor, target };
    };
    return [row('per_s', 'requests a second'), row('per_cpu_s', 'requests per CPU second')];
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
    await bare?.stop();
    await emulator.stop();
  }
}

/** Sends a request. @throws Error if the response does not contain the domain. */
async function measure(
  server: MeasuredProcess,
  pool: Pool,
  target: string,
  expected: string,
  keys: readonly string[],
): Promise<Load> {
  const cpuBeforeMs = await server.cpuMs();
  const startedAt = performance.now();
  let sent = 0;
  const connection = async () => {
    while (sent < REQUESTS) {
      const authorization = `Bearer ${keys[sent++ % keys.length]}`;
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: target,
        headers: { authorization },
      });
      const text = await body.text();
      if (statusCode !== 200 || text !== expected) throw new Error(`responded with ${statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const wallMs = performance.now() - startedAt;
  const cpuMs = (await server.cpuMs()) - cpuBeforeMs;
  return { per_s: (REQUESTS / wallMs) * 1000, per_cpu_s: (REQUESTS / cpuMs) * 1000 };
}
