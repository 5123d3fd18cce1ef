import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDnsServer } from '../../shared/dns/server/dns-server.ts';
import { mutatedQueries, tryMutatedQueries } from '../dns/server/mutated-queries.ts';
import { queryOf, responderOf, shown } from '../dns/server/served-zones.ts';

const MUTATIONS = 100_000;
const SEED = 0x8482;
/** Number of queries to send at once. The kernel's socket buffer has room for more. */
const BATCH = 100;

test('100 000 mutated DNS queries get no response that is wrong, malformed or too large', () => {
  const { statuses, unanswered } = tryMutatedQueries(MUTATIONS, SEED);
  console.log(Object.fromEntries(statuses), { unanswered });
  expect(statuses.get('NOERROR aa')).toBeGreaterThan(MUTATIONS / 20);
});

test('the DNS server still answers after 100 000 mutated queries over UDP and TCP', async () => {
  const server = await startDnsServer({
    listen: [{ host: '127.0.0.1', port: 0 }],
    respond: responderOf(),
    onMessage: () => undefined,
    onError: ({ kind, error }) => {
      if (kind === 'node') throw error;
    },
  });
  const [{ host, port } = { host: '', port: 0 }] = server.addresses;
  const socket = createSocket('udp4');
  let received = 0;
  socket.on('message', () => {
    received++;
  });
  let sent = 0;
  for (const query of mutatedQueries(MUTATIONS, SEED)) {
    socket.send(query, port, host);
    if (++sent % BATCH > 0) continue;
    const stream = connect({ host, port });
    stream.on('error', () => undefined);
    stream.end(Buffer.concat([Buffer.of(query.length >> 8, query.length & 255), query]));
    await Promise.race([new Promise((resolve) => stream.once('close', resolve)), sleep(20)]);
  }
  await sleep(500);
  console.log({ sent, received });
  expect(received).toBeGreaterThan(MUTATIONS / 2);
  socket.removeAllListeners('message');
  socket.send(queryOf('k7m2q9.edge.example.net', 'AAAA'), port, host);
  const [response] = await once(socket, 'message');
  expect(shown(response).answers).toEqual(['k7m2q9.edge.example.net 300 AAAA 2001:db8::10']);
  socket.close();
  await server.close(0);
});
