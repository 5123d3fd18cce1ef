import { Agent } from 'undici';
import { isBodiless, readBounded } from '../../shared/adapters/bounded-body.ts';
import type { HeardEdge } from '../../shared/core/edge/edge-health.ts';
import type { SandboxValues } from '../../shared/operations/edge/find-edge-route.ts';
import type { Clock, Log, ValueBox } from '../../shared/ports/system.ts';
import type { EdgeBackend } from '../edge/edge-backend.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import { signInner } from './inner-signature.ts';
import { innerAt } from './serve-inner.ts';

export interface InnerBackendOptions {
  /** The address of the API nodes (`NAMEPLATE_INNER_URL`). */
  url: string;
  edgeKeys: EncryptionKeys;
  box: ValueBox;
  clock: Clock;
  log: Log;
  /** The time for one request, with its wait for a connection. */
  timeoutMs?: number;
}

/** The connections of an edge process to the API nodes. */
const CONNECTIONS_MAX = 16;
/** A visitor waits for the response. */
const TIMEOUT_MS = 10_000;

/** A beat is lost if an API node takes longer. Two lost beats do no harm. */
const BEAT_TIMEOUT_MS = 2_000;
const BEAT_CONNECTIONS_MAX = 4;

/** Creates the backend of an edge that may only read its values: the backend sends signed requests to the API nodes (`serveInner`). */
export function createInnerBackend(options: InnerBackendOptions): EdgeBackend {
  const { url, edgeKeys, box, clock, log, timeoutMs = TIMEOUT_MS } = options;
  const agent = new Agent({ connections: CONNECTIONS_MAX, connectTimeout: timeoutMs });
  /** Beats have connections of their own, because an edge whose beats wait behind visitors' requests looks silent. */
  const beats = new Agent({ connections: BEAT_CONNECTIONS_MAX, connectTimeout: BEAT_TIMEOUT_MS });
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');

  async function ask(
    method: 'GET' | 'HEAD' | 'POST',
    path: string,
    {
      headers = {},
      body = new Uint8Array(),
      isBeat = false,
    }: { headers?: Record<string, string>; body?: Uint8Array; isBeat?: boolean } = {},
  ) {
    const authorization = signInner(edgeKeys, { method, target: path, body }, clock.now());
    const response = await (isBeat ? beats : agent).request({
      origin: base.origin,
      path: prefix + path,
      method,
      headers: { ...headers, authorization },
      ...(method === 'POST' && { body }),
      // The timeouts of undici do not cover the wait for a connection.
      signal: AbortSignal.timeout(isBeat ? BEAT_TIMEOUT_MS : timeoutMs),
    });
    // The API responds to a request without a valid signature as to an unknown path.
    if (
      response.statusCode === 404 &&
      String(response.headers['content-type']).startsWith('application/json')
    )
      throw new Error(
        `the API at ${url} does not accept this edge: compare their NAMEPLATE_EDGE_KEYS and clocks`,
      );
    return {
      status: response.statusCode,
      headers: response.headers,
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  }

  return {
    async findTestDomain(id) {
      const { status, body } = await ask('GET', `/inner/test-domains/${encodeURIComponent(id)}`);
      if (status === 204) return null;
      if (status !== 200) throw new Error(`the API at ${url} responded with ${status}`);
      return box.open({ ...innerAt(id), value: body }) as SandboxValues;
    },

    async writeTraffic({ domains, apps, ...batch }) {
      const listed = (sums: typeof domains) => [...sums].map(([id, counts]) => [id, [...counts]]);
      const json = JSON.stringify({ ...batch, domains: listed(domains), apps: listed(apps) });
      const { status } = await ask('POST', '/inner/traffic', { body: Buffer.from(json) });
      // If the API runs a version that cannot read the batch, it would refuse each retry too.
      if (status === 400) log.error({}, 'the API refused the counts of this edge: update the API first');
      else if (status !== 204) throw new Error(`the API at ${url} responded with ${status}`);
    },

    async saveBeat(beat) {
      const { status } = await ask('POST', '/inner/edge-beats', {
        body: Buffer.from(JSON.stringify(beat)),
        isBeat: true,
      });
      if (status !== 204) throw new Error(`the API at ${url} responded with ${status}`);
    },

    async listBeats() {
      const { status, body } = await ask('GET', '/inner/edge-beats', { isBeat: true });
      if (status !== 200) throw new Error(`the API at ${url} responded with ${status}`);
      return (box.open({ ...innerAt('edge-beats'), value: body }) as { beats: HeardEdge[] }).beats;
    },

    async serveHost(visit, { app_id, hostname }, network) {
      const form = await readBounded(visit.body, FORM_BYTES_MAX);
      if (form === null) return new Response('The form is too large.\n', { status: 413 });
      const query = new URLSearchParams({ app_id, hostname, network, url: visit.url });
      const passed = [...visit.headers].filter(([name]) => name !== 'host' && name !== 'content-length');
      const { status, headers, body } = await ask(visit.method as 'GET', `/inner/pages?${query}`, {
        headers: Object.fromEntries(passed),
        body: form,
      });
      const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
      return new Response(isBodiless(status) ? null : body, {
        status,
        headers: kept as [string, string][],
      });
    },

    async close() {
      await Promise.all([agent.close(), beats.close()]);
    },
  };
}

/** Headers that belong to the connection with the API, or that the edge sets itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
  'x-request-id',
]);
/** The forms of the connect pages are smaller. */
const FORM_BYTES_MAX = 16 * 1024;
