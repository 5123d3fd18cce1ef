import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer, logOwnErrors } from '../../shared/adapters/owned-server.ts';
import type { Log } from '../../shared/ports/system.ts';

/** The demo's webhook receiver. It sometimes fails, as real receivers do. */
export interface DemoReceiver {
  url: string;
  counts(): { accepted: number; refused: number };
  close(): Promise<void>;
}

/** Every fourth request fails, so that retries and redeliveries can be tried. */
const FAILS_EVERY = 4;

export async function startDemoReceiver(log: Log): Promise<DemoReceiver> {
  let [accepted, refused] = [0, 0];
  const respond: RequestListener = (request, response) => {
    request.resume();
    request.once('end', () => {
      const fails = (accepted + refused + 1) % FAILS_EVERY === 0;
      if (fails) refused++;
      else accepted++;
      response.writeHead(fails ? 500 : 200, { 'content-type': 'text/plain' });
      response.end(fails ? 'The demo receiver fails every fourth request.\n' : 'ok\n');
    });
  };
  const server = createHttpServer({}, respond, logOwnErrors(log));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    counts: () => ({ accepted, refused }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
