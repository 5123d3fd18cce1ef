import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { forwardTarget, sendLocally } from '../../../cli/listen/send-locally.ts';

/** Addresses of a receiver on this machine. The test replaces PORT with the port of the receiver. */
const NAMES = ['PORT', 'localhost:PORT', 'app.localhost:PORT/hook', 'LOCALHOST.:PORT'];

test.each(['127.0.0.1', '::1'])(
  'a receiver that listens only on %s gets events for localhost and the names below it',
  async (address) => {
    const server = createServer((_, response) => response.writeHead(204).end());
    server.listen(0, address);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const own = address === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`;
    try {
      for (const name of [...NAMES, own]) {
        const target = forwardTarget(name.replace('PORT', String(port)), false);
        const { status_code, error } = await sendLocally(target, {}, '{}', new AbortController().signal);
        expect([name, status_code, error]).toEqual([name, 204, null]);
      }
    } finally {
      server.close();
    }
  },
);
