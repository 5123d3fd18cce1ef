import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One address in front of several nodes. Each request goes to the next node, so no node gets two requests in a row. */
export interface Gateway extends AsyncDisposable {
  /** The URL of the gateway. It contains a name, because browsers offer passkeys at `localhost` but not at an IP address. */
  url: string;
  /** Addresses of the nodes. */
  nodes: readonly string[];
}

export async function startGateway(): Promise<Gateway> {
  let turn = 0;
  const server = createServer((req, res) => {
    const node = gateway.nodes[turn++ % gateway.nodes.length];
    if (node === undefined) return void res.writeHead(503).end();
    const { method = 'GET', headers, url = '/' } = req;
    const onward = request(new URL(url, node), { method, headers }, (answered) => {
      res.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      answered.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway: Gateway = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    nodes: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}
