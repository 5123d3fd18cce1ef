import { describe, expect, it, onTestFinished } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { isWhole, parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';
import { BEHIND_BALANCER, BEHIND_PROXY, NAMED } from './hops-under-test.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n`;

/** Starts an edge whose origin responds with the visitor's address that it received. */
async function edgeBehind(
  hops: typeof BEHIND_PROXY.hops,
  { secure = false, ...options }: { secure?: boolean } & Parameters<typeof edgeWith>[1] = {},
) {
  const origin = await originWith((req, res) =>
    res.end(req.headersDistinct['x-forwarded-for']?.join(' and ')),
  );
  const ca = createThrowawayCa();
  const edge = await edgeWith(
    { [HOST]: route(origin.url) },
    {
      ...(hops && { hops }),
      ...(secure && { tls: { certificates: certificatesFor(ca, HOST) } }),
      ...options,
    },
  );
  onTestFinished(async () => {
    await edge[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });
  const servername = secure ? HOST : undefined;
  return {
    edge,
    visit: (localAddress?: string, proxyHeader?: string | Buffer) =>
      rawVisitor(edge.port, servername, localAddress, proxyHeader),
    async ask(request: string, localAddress?: string, proxyHeader?: string | Buffer): Promise<string> {
      using visitor = await rawVisitor(edge.port, servername, localAddress, proxyHeader);
      visitor.write(request);
      return parseAnswer(await visitor.until(isWhole)).body;
    },
  };
}

describe('a trusted proxy in front of the edge names its visitors', () => {
  it('reports the visitor of each request on its connection', async () => {
    const { visit } = await edgeBehind(BEHIND_PROXY.hops);
    using proxy = await visit();
    const bodies: string[] = [];
    for (const visitor of ['203.0.113.1', '203.0.113.2', '2001:db8:2::1']) {
      const before = proxy.text().length;
      proxy.write(`${GET}X-Forwarded-For: 6.6.6.6, ${visitor}\r\n\r\n`);
      const text = await proxy.until((all) => isWhole(all.slice(before)));
      bodies.push(parseAnswer(text.slice(before)).body);
    }
    expect(bodies).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8:2::1']);
  });

  it('is believed only if its own address is on the list', async () => {
    const { ask } = await edgeBehind(BEHIND_PROXY.hops);
    const request = `${GET}X-Forwarded-For: ${NAMED}\r\n\r\n`;
    expect(await ask(request, '127.0.0.1')).toBe(NAMED);
    expect(await ask(request, '127.0.0.2')).toBe('127.0.0.2');
  });

  it("is not fooled by a visitor's header in another spelling", async () => {
    const { ask } = await edgeBehind(BEHIND_PROXY.hops);
    expect(await ask(`${GET}X_Forwarded_For: ${NAMED}\r\nX-Forwarded: ${NAMED}\r\n\r\n`)).toBe('127.0.0.1');
  });

  it('may have more connections than a visitor', async () => {
    const { edge, visit } = await edgeBehind(BEHIND_PROXY.hops, {
      limits: { connections_per_address_max: 2, connections_per_proxy_max: 4 },
    });
    using stack = new DisposableStack();
    const open = async (address: string) => stack.use(await visit(address));
    const [, , third] = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2')];
    expect(await third?.ended()).toBe('');
    for (let i = 0; i < 4; i++) await open('127.0.0.1');
    const fifth = await open('127.0.0.1');
    expect(await fifth.ended()).toBe('');
    expect(edge.connectionErrors.filter(({ kind }) => kind === 'node')).toEqual([]);
  });
});

describe.each([
  ['without TLS', false],
  ['over TLS', true],
])('a load balancer %s in front of the edge names its visitors', (_, secure) => {
  const { hops, proxyHeader } = BEHIND_BALANCER;

  it('reports the visitor of its connection, and the visitor cannot forge that address', async () => {
    const { ask } = await edgeBehind(hops, { secure });
    expect(await ask(`${GET}X-Forwarded-For: 6.6.6.6\r\n\r\n`, '127.0.0.1', proxyHeader)).toBe(NAMED);
  });

  it('can report the visitor with version 2', async () => {
    const { ask } = await edgeBehind(hops, { secure });
    const header = Buffer.from('0d0a0d0a000d0a515549540a2111000ccb007107c00002019c4001bb', 'hex');
    expect(await ask(`${GET}\r\n`, '127.0.0.1', header)).toBe('203.0.113.7');
  });

  it('is treated as the visitor itself if it reports none', async () => {
    const { ask } = await edgeBehind(hops, { secure });
    expect(await ask(`${GET}\r\n`, '127.0.0.1', 'PROXY UNKNOWN\r\n')).toBe('127.0.0.1');
  });

  it('may send its header in pieces', async () => {
    const { visit } = await edgeBehind(hops);
    using visitor = await visit();
    for (const piece of proxyHeader.match(/.{1,5}/gs) ?? []) {
      visitor.write(piece);
      await new Promise(setImmediate);
    }
    visitor.write(`${GET}\r\n`);
    expect(parseAnswer(await visitor.until(isWhole)).body).toBe(NAMED);
  });
});

it('the edge closes a connection from a load balancer that sends no PROXY header', async () => {
  const { visit } = await edgeBehind(BEHIND_BALANCER.hops);
  using visitor = await visit();
  visitor.write(`${GET}\r\n`);
  expect(await visitor.ended()).toBe('');
});

it('the edge closes a connection from a load balancer that ends before its PROXY header', async () => {
  const { visit, ask } = await edgeBehind(BEHIND_BALANCER.hops);
  using visitor = await visit('127.0.0.1', 'PROXY TC');
  visitor.socket.end();
  await visitor.ended();
  expect(await ask(`${GET}\r\n`, '127.0.0.1', BEHIND_BALANCER.proxyHeader)).toBe(NAMED);
});

it('the edge reads no second PROXY header, and no PROXY header from any other address', async () => {
  const { visit } = await edgeBehind(BEHIND_BALANCER.hops);
  const forged = 'PROXY TCP4 6.6.6.6 192.0.2.1 1 443\r\n';
  for (const [address, header] of [
    ['127.0.0.2', forged],
    ['127.0.0.1', BEHIND_BALANCER.proxyHeader + forged],
  ] as const) {
    using visitor = await visit(address, header);
    visitor.write(`${GET}\r\n`);
    const text = await visitor.ended();
    expect(text).not.toContain('6.6.6.6');
    // The edge expects no PROXY header here, so it reads `PROXY` as an unknown HTTP method.
    expect(parseAnswer(text).status).toBe(501);
  }
});

it('the edge counts the connections of the visitors that a load balancer reports', async () => {
  const { visit, ask } = await edgeBehind(BEHIND_BALANCER.hops, {
    limits: { connections_per_address_max: 2 },
  });
  const named = (address: string) => `PROXY TCP4 ${address} 192.0.2.1 40000 443\r\n`;
  using first = await visit('127.0.0.1', named('203.0.113.1'));
  using second = await visit('127.0.0.1', named('203.0.113.1'));
  using third = await visit('127.0.0.1', named('203.0.113.1'));
  expect(await third.ended()).toBe('');
  expect(await ask(`${GET}\r\n`, '127.0.0.1', named('203.0.113.2'))).toBe('203.0.113.2');
  expect([first, second].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
});
