import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { dnsLookup, hostsLookup } from '../../shared/adapters/host-addresses.ts';

describe('dnsLookup returns the addresses of a hostname from DNS', () => {
  it.each([
    ['both.test', ['192.0.2.7', '2001:db8::7']],
    ['four.test', ['192.0.2.7']],
    ['six.test', ['2001:db8::7']],
    ['four-servfail.test', ['192.0.2.7']],
  ])('finds the addresses of %s', async (name, addresses) => {
    await using server = await nameServer();
    expect(await dnsLookup(name, server.resolver)).toEqual(addresses);
  });

  it.each([
    ['none.test', 'ENODATA'],
    ['missing.test', 'ENOTFOUND'],
    ['servfail.test', 'ESERVFAIL'],
  ])('throws for %s, which has no address', async (name, code) => {
    await using server = await nameServer();
    await expect(dnsLookup(name, server.resolver)).rejects.toMatchObject({ code });
  });
});

describe('hostsLookup returns the addresses of a hostname from the hosts file', () => {
  it('resolves the names of /etc/hosts', async () => {
    expect(await hostsLookup('localhost')).toContain('127.0.0.1');
  });
});

const A = 1;
const ADDRESS = { [A]: [192, 0, 2, 7], 28: [0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 7] };
const REFUSED_CODES: Record<string, number> = { missing: 3, servfail: 2 };

/** Starts a name server for the names above. The first label of a name decides the answer. */
async function nameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const label = query.toString('latin1', 13, 13 + query.readUInt8(12));
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4) === A ? A : 28;
    const rcode = REFUSED_CODES[label] ?? (label.endsWith('-servfail') && type !== A ? 2 : 0);
    const known = rcode === 0 && (label === 'both' || label.startsWith(type === A ? 'four' : 'six'));
    const data = ADDRESS[type];
    const answer = known ? [0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
    const header = [0x81, 0x80 | rcode, 0, 1, 0, known ? 1 : 0, 0, 0, 0, 0];
    socket.send(
      Buffer.concat([query.subarray(0, 2), Buffer.from(header), question, Buffer.from(answer)]),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, [Symbol.asyncDispose]: async () => void socket.close() };
}
