import type { H3Event } from 'h3';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { readBounded } from '../../shared/adapters/bounded-body.ts';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { jsonOrNull } from '../../shared/core/text/json-or-null.ts';
import { TRAFFIC_COUNTS_LENGTH } from '../../shared/core/traffic/traffic-counts.ts';
import type { ApiPart } from '../../shared/http/api.ts';
import type { Clock, ValueBox } from '../../shared/ports/system.ts';
import type { EdgeBackend } from '../edge/edge-backend.ts';
import { beatSchema } from '../edge/health/edge-beats.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import { APART_MS_MAX, bodyDigest, readSignature } from './inner-signature.ts';

/** The largest body: a batch with the counts of 500 domains and 500 apps. */
const BODY_BYTES_MAX = 1024 * 1024;
/** The number of requests that a node remembers, about 20 MB. Beyond it, the oldest can be sent again. Only edges can fill it. */
const REMEMBERED_MAX = 100_000;

const counts = z
  .array(z.number().int().min(0))
  .length(TRAFFIC_COUNTS_LENGTH)
  .transform((values) => Float64Array.from(values));
const sums = z.array(z.tuple([z.string().max(64), counts])).transform((pairs) => new Map(pairs));
const batchSchema = z.object({
  writer: z.uuid(),
  number: z.number().int().min(1),
  hour: z.number().int().min(0).multipleOf(HOUR_MS),
  domains: sums,
  apps: sums,
});

const visitSchema = z.object({
  app_id: z.string().max(64),
  hostname: z.string().max(253),
  network: z.string().max(64),
  url: z.url({ protocol: /^https?$/ }),
});

/** Returns the key and version of a sealed response. No stored value has such a key. @param name the id of a test domain, or `edge-beats`. */
export function innerAt(name: string) {
  return { key: `inner.${name}`, epoch: 0, number: 0 };
}

/**
 * Serves the requests of edges to the API nodes (`decisions/0101`), at paths below `/inner`. A request without the signature of an edge
 * gets the response of an unknown path. Values in responses are sealed, because the inner network may have no TLS.
 */
export function serveInner(
  backend: EdgeBackend,
  { edgeKeys, box, clock }: { edgeKeys: EncryptionKeys; box: ValueBox; clock: Clock },
): ApiPart {
  /** The nonces of requests with an effect, until their signatures expire. */
  const done = new LRUCache<string, true>({ max: REMEMBERED_MAX, ttl: 2 * APART_MS_MAX });
  /**
   * Returns the body of a request that an edge has signed; null for another request, whose body is not read. Accepts each POST once, because
   * the inner network may have no TLS: a listener could send the form of a customer again.
   */
  const read = async ({ req, url }: H3Event): Promise<Uint8Array<ArrayBuffer> | null> => {
    const asked = { method: req.method, target: url.pathname + url.search };
    const signed = readSignature(edgeKeys, req.headers.get('authorization'), asked, clock.now());
    if (signed === null) return null;
    const body = await readBounded(req.body, BODY_BYTES_MAX);
    if (body === null || bodyDigest(body) !== signed.digest) return null;
    if (req.method !== 'POST') return body;
    if (done.has(signed.nonce)) return null;
    done.set(signed.nonce, true);
    return body;
  };
  const sealed = (name: string, value: object) =>
    new Response(Buffer.from(box.seal(innerAt(name), value)), {
      headers: { 'content-type': 'application/octet-stream' },
    });
  return (app) => {
    const save = <T>(path: string, schema: z.ZodType<T>, write: (value: T) => Promise<void>) =>
      app.on('POST', path, async (event) => {
        const body = await read(event);
        if (body === null) return undefined;
        const given = schema.safeParse(jsonOrNull(Buffer.from(body).toString()));
        if (given.success) await write(given.data);
        return new Response(null, { status: given.success ? 204 : 400 });
      });
    app.on('GET', '/inner/test-domains/:id', async (event) => {
      if ((await read(event)) === null) return undefined;
      const id = event.context.params?.['id'] ?? '';
      const found = await backend.findTestDomain(id);
      if (found === null) return new Response(null, { status: 204 });
      return sealed(id, found);
    });
    // Clocks may differ a little. Counts of a later hour would be kept for as long as that hour is ahead.
    const isDue = ({ hour }: { hour: number }) => hour <= clock.now() + HOUR_MS;
    save('/inner/traffic', batchSchema.refine(isDue), backend.writeTraffic);
    save('/inner/edge-beats', beatSchema, backend.saveBeat);
    app.on('GET', '/inner/edge-beats', async (event) => {
      if ((await read(event)) === null) return undefined;
      return sealed('edge-beats', { beats: await backend.listBeats() });
    });
    for (const method of ['GET', 'HEAD', 'POST'] as const)
      app.on(method, '/inner/pages', async (event) => {
        const body = await read(event);
        if (body === null) return undefined;
        const visit = visitSchema.safeParse(Object.fromEntries(event.url.searchParams));
        if (!visit.success) return new Response(null, { status: 400 });
        const { url, network, ...owner } = visit.data;
        const headers = new Headers(event.req.headers);
        headers.delete('authorization');
        headers.set('host', new URL(url).host);
        return backend.serveHost(
          new Request(url, { method, headers, ...(method === 'POST' && { body }) }),
          owner,
          network,
        );
      });
    return ['/inner/test-domains/:id', '/inner/traffic', '/inner/edge-beats', '/inner/pages'];
  };
}
