import { describe, expect, it, vi } from 'vitest';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';

const ORIGINS = 300;

/** Creates a lookup that waits until the test calls `release`. */
function held<Result>(result: Result) {
  const { promise, resolve } = Promise.withResolvers<Result>();
  return { lookup: vi.fn(() => promise), release: () => resolve(result) };
}

async function statusOf(port: number, head: string): Promise<number> {
  using visitor = await rawVisitor(port);
  visitor.write(head);
  return parseAnswer(await visitor.until((text) => text.includes('\r\n\r\n'))).status;
}

const get = (host: string, target = '/', more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

// This timeout is below 15 s, after which the edge answers a visitor whose lookup never ends.
describe('a visitor who leaves during a lookup', { timeout: 12_000 }, () => {
  it.each(['route', 'origin'] as const)('of the %s does not delay the next visitor', async (what) => {
    await using origin = await originWith((_, res) => res.end());
    const ofRoute = held(route(`http://origin.test:${origin.port}`));
    const ofOrigin = held(['127.0.0.1']);
    const { lookup, release } = what === 'route' ? ofRoute : ofOrigin;
    if (what === 'route') ofOrigin.release();
    else ofRoute.release();
    await using edge = await edgeWith({}, { findRoute: ofRoute.lookup, lookup: ofOrigin.lookup });
    const first = await rawVisitor(edge.port);
    first.write(get(HOST));
    await expect.poll(() => lookup.mock.calls.length).toBeGreaterThan(0);
    first.reset();
    const status = statusOf(edge.port, get(HOST));
    release();
    expect(await status).toBe(200);
  });
});

describe('an origin whose name is looked up slowly has its own connections', () => {
  it('shares no connection with origins that are looked up in the meantime', async () => {
    const hosts = new Map<number | undefined, Set<string>>();
    await using origin = await originWith((req, res) => {
      const { remotePort } = req.socket;
      hosts.set(remotePort, (hosts.get(remotePort) ?? new Set()).add(req.headers.host ?? ''));
      res.end();
    });
    const slow = held(['127.0.0.1']);
    await using edge = await edgeWith(
      {},
      {
        findRoute: async (hostname) => route(`http://${hostname}:${origin.port}`, { hostname }),
        lookup: async (hostname) => (hostname === 'slow.test' ? slow.lookup() : ['127.0.0.1']),
      },
    );
    const first = statusOf(edge.port, get('slow.test'));
    await expect.poll(() => slow.lookup.mock.calls.length).toBeGreaterThan(0);
    for (let n = 0; n < ORIGINS; n++) await statusOf(edge.port, get(`o${n}.test`));
    slow.release();
    expect(await first).toBe(200);
    for (let n = 0; n < ORIGINS; n++) await statusOf(edge.port, get(`o${n}.test`));
    expect([...hosts.values()].filter((names) => names.size > 1)).toEqual([]);
  });
});

describe('a page whose path looks like the path of a probe reaches its visitor', () => {
  const PAGE = '/blog/how-we-reduced-our-build-times-by-half';

  it('is served to a visitor whose cookie is not UTF-8', async () => {
    await using origin = await originWith((_, res) => res.end());
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    expect(await statusOf(edge.port, get(HOST, PAGE, 'Cookie: a=\xff\r\n'))).toBe(200);
  });

  it('is served however often it is requested', async () => {
    await using origin = await originWith((_, res) => res.end());
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    for (let n = 0; n < 30; n++) expect(await statusOf(edge.port, get(HOST, PAGE))).toBe(200);
  });
});
