import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';

/** The baseline of `get-domain.bench.ts`: a bare h3 handler in the same kind of server as the API. It responds with the content of BODY. */
const body = process.env.BODY ?? '';
const app = new H3();
app.on(
  'GET',
  '/v1/domains/:id',
  () => new Response(body, { headers: { 'content-type': 'application/json' } }),
);

const server = createServer(toNodeHandler(app) as Parameters<typeof createServer>[1]);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.once('SIGTERM', () => process.exit());
