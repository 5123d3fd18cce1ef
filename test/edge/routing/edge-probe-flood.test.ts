import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createPathProbe } from '../../../service/edge/path-probe.ts';
import { systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { findPathToken, type PathKeys } from '../../../shared/core/public-path/path-receipt.ts';
import { pathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { dnsWorld, everywhere } from '../../operations/dns/dns-world.ts';
import { edgeWith, HOST, NAMES, originWith, route } from '../edge-under-test.ts';

const KEYS: PathKeys = [randomBytes(32)];
const OTHER = 'jobs.acme.com';
const PROXY = '93.184.216.7';
/** A path of 38 characters, the length of a probe's token. */
const LIKE_A_TOKEN = `/${'a'.repeat(38)}`;

describe('a flood of requests that look like probes does no harm', () => {
  it('leaves every domain behind a proxy active for three checks, and reaches no origin', async () => {
    const urls: string[] = [];
    await using origin = await originWith(({ url = '' }, response) => {
      urls.push(url);
      response.end('the page');
    });
    await using edge = await edgeWith(
      { [HOST]: route(origin.url), [OTHER]: route(origin.url, { hostname: OTHER }) },
      { pathReceipts: pathReceipts(KEYS, NAMES, systemClock), wallClock: systemClock },
    );
    await using proxy = await relayTo(edge.port);
    await using world = await dnsWorld();
    const probe = createPathProbe({
      names: NAMES,
      keys: KEYS,
      clock: systemClock,
      random: systemRandom,
      ports: [proxy.port, await freePort()],
      allowLoopback: true,
      refusedAddresses: [],
      roots: [],
      timeoutMs: 30_000,
    });
    world.context.pathProbe = {
      follow: async (hostname, addresses) => ({
        ...(await probe.follow(hostname, ['127.0.0.1'], null)),
        addresses,
      }),
    };
    const caller = await world.addLiveApp('acme');
    world.says = everywhere(({ txt_value }) => ({ a: [`A ${PROXY}`], txt: [`TXT ${txt_value}`] }));
    const ids = await Promise.all([HOST, OTHER].map((hostname) => world.addDomain(caller, hostname)));
    for (const id of ids) {
      await world.check(id);
      await triggerDomain(world.context, id, 'certificate_issued');
    }

    await using known = await flood(edge.port, HOST, 600);
    await using unknown = await flood(edge.port, 'nobody.example.org', 20_000);
    const passed: string[] = [];
    for (let check = 0; check < 3; check += 1) {
      await Promise.all([known.answers(60), unknown.answers(600)]);
      for (const id of ids) passed.push((await world.check(id)).status);
    }
    expect(passed).toEqual(Array.from({ length: 6 }, () => 'active'));
    expect(urls.filter((url) => findPathToken(KEYS, systemClock.now(), [url]) !== null)).toEqual([]);
    expect(urls).toContain(LIKE_A_TOKEN);
  });
});

/** Starts a TCP proxy on 127.0.0.1 that forwards all bytes. */
async function relayTo(port: number): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((visitor) => {
    const edge = connect({ port, host: '127.0.0.1' });
    visitor.pipe(edge).pipe(visitor);
    for (const socket of [visitor, edge]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const EVERY_MS = 50;
const CONNECTIONS = 40;
/** Maximum number of unanswered requests on one connection. */
const WAITING_MAX = 16;

/** Sends requests at the given rate, or more slowly if the edge does not answer them fast enough. */
async function flood(
  port: number,
  host: string,
  perSecond: number,
): Promise<AsyncDisposable & { answers(more: number): Promise<void> }> {
  const request = `GET ${LIKE_A_TOKEN} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  let answered = 0;
  const looking = new Set<() => void>();
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect({ port, host: '127.0.0.1' });
      await once(socket, 'connect');
      let waiting = 0;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        const count = chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
        waiting -= count;
        answered += count;
        for (const look of looking) look();
      });
      return (wanted: number) => {
        if (wanted < 0) return socket.destroy();
        const count = Math.min(wanted, WAITING_MAX - waiting);
        waiting += count;
        socket.write(request.repeat(count));
      };
    }),
  );
  let turn = 0;
  const timer = setInterval(() => {
    let left = (perSecond * EVERY_MS) / 1000;
    for (let i = 0; i < CONNECTIONS && left > 0; i += 1) {
      sockets[turn++ % CONNECTIONS]?.(Math.min(left, WAITING_MAX));
      left -= WAITING_MAX;
    }
  }, EVERY_MS);
  return {
    answers: (more) => {
      const wanted = answered + more;
      return new Promise((resolve) => {
        const look = () => {
          if (answered < wanted) return;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        look();
      });
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const send of sockets) send(-1);
    },
  };
}
