import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { clientAddresses } from '../../shared/adapters/client-addresses.ts';
import { createHttpServer } from '../../shared/adapters/owned-server.ts';
import { createAddressSet } from '../../shared/core/net/address-set.ts';
import { clientAddressOf, recordClients } from '../../shared/http/admission.ts';
import { boundConnections } from '../../shared/http/bound-connections.ts';

const HERE = '127.0.0.1';
const NAMED = '203.0.113.9';

/** Starts a server that responds with the client address that the API code determines. */
async function serverBehind(hops: { proxies?: string[]; balancers?: string[] }, perNetworkMax = 10) {
  const addresses = clientAddresses({ balancers: createAddressSet(hops.balancers ?? []) });
  const server = createHttpServer({}, (req, res) => res.end(`client ${clientAddressOf(req)}.`));
  boundConnections(server, () => undefined, { perNetworkMax, pipelinedMax: 10 }, addresses);
  recordClients(server, addresses, createAddressSet(hops.proxies ?? []));
  addresses.readHeaders(server);
  server.listen(0, HERE);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (first: string) => {
    const socket = connect({ port, host: HERE }).on('error', () => undefined);
    socket.write(first);
    return socket;
  };
  return {
    open,
    async ask(headers: string, proxyHeader = ''): Promise<string | undefined> {
      const socket = open(`${proxyHeader}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
      return /client (.+)\./.exec(await text(socket))?.[1];
    },
  };
}

test.each<[title: string, hops: Parameters<typeof serverBehind>[0], proxyHeader: string, client: string]>([
  ['a client without a hop', {}, '', HERE],
  ['the client that a trusted proxy names', { proxies: [HERE] }, '', NAMED],
  ['a proxy that is not trusted', { proxies: ['192.0.2.1'] }, '', HERE],
  [
    'the client that a load balancer names',
    { balancers: [HERE] },
    'PROXY TCP4 203.0.113.7 192.0.2.1 1 443\r\n',
    '203.0.113.7',
  ],
  [
    'the client behind a load balancer and a trusted proxy',
    { balancers: [HERE], proxies: ['198.51.100.1'] },
    'PROXY TCP4 198.51.100.1 192.0.2.1 1 443\r\n',
    NAMED,
  ],
])('the API finds the address of %s', async (_, hops, proxyHeader, client) => {
  const { ask } = await serverBehind(hops);
  expect(await ask(`X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: ${NAMED}\r\n`, proxyHeader)).toBe(client);
});

test('the API limits the connections of the network that a load balancer reports', async () => {
  const { open, ask } = await serverBehind({ balancers: [HERE] }, 1);
  const named = (address: string) => `PROXY TCP4 ${address} 192.0.2.1 1 443\r\n`;
  const first = open(named('203.0.113.1'));
  onTestFinished(() => void first.destroy());
  await expect.poll(() => ask('', named('203.0.113.1'))).toBeUndefined();
  expect(await ask('', named('203.0.113.2'))).toBe('203.0.113.2');
  expect(first.destroyed).toBe(false);
});

test("the API sends no response to a load balancer's health check without a PROXY header", async () => {
  const { ask } = await serverBehind({ balancers: [HERE] });
  expect(await ask('')).toBeUndefined();
});
