import { describe, expect, test } from 'vitest';
import { HOST, route } from '../../edge/edge-under-test.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { parseAnswer, rawVisitor } from '../../edge/wire/raw-visitor.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { rawServer } from '../../fixtures/raw-server.ts';
import { startEngine } from './engine-under-test.ts';

describe.each(['node', 'nginx'] as const)(
  'NAMEPLATE_EDGE_ORIGIN_TIMEOUT_SECONDS with the engine %s',
  (engine) => {
    const missing = engine === 'nginx' ? whyMissing(NGINX_PACKAGES) : null;

    test.skipIf(missing !== null)(
      'limits the wait for the head of a response, and for the rest of a response',
      async () => {
        await using origin = await rawServer({
          request(socket) {
            const isSilent = origin.requests.at(-1)?.startsWith('GET /silent');
            if (!isSilent) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na');
          },
        });
        const port = await startEngine(
          engine,
          async () => ({
            findRoute: () => route(`http://127.0.0.1:${origin.port}`),
            serveHost: async () => new Response(),
          }),
          { NAMEPLATE_EDGE_ORIGIN_TIMEOUT_SECONDS: '1' },
        );
        const visit = async (path: string) => {
          using visitor = await rawVisitor(port, HOST);
          visitor.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
          return parseAnswer(await visitor.ended());
        };
        expect(await visit('/silent')).toMatchObject({ status: 504 });
        expect(await visit('/stalling')).toMatchObject({ status: 200, body: 'a' });
      },
    );
  },
);
