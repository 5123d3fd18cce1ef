import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy on 127.0.0.1 that tunnels every CONNECT to the same server, whatever address was requested. */
export interface TunnelProxy extends AsyncDisposable {
  url: string;
  /** The address that each CONNECT requested, in order. */
  tunnels: string[];
  /** The requests in the tunnels: method, host and path. */
  requests: string[];
}

/** @param target the server's `http:` URL. @param tls the certificate and key with which the proxy ends TLS in the tunnel. */
export async function startTunnelProxy(
  target: string,
  tls: { key: string; cert: string },
): Promise<TunnelProxy> {
  const tunnels: string[] = [];
  const requests: string[] = [];
  const hand: RequestListener = (asked, response) => {
    const { method = '', url = '', headers } = asked;
    requests.push(`${method} ${headers.host}${url}`);
    const onward = request(target + url, { method, headers: { ...headers, host: new URL(target).host } });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    asked.pipe(onward);
  };
  const inside = createTlsServer(tls, hand);
  const proxy = createServer((_, response) => response.writeHead(400).end());
  const insidePort = await listening(inside);
  proxy.on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const tunnel = connect(insidePort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      pipeline(socket, tunnel, socket, () => tunnel.destroy());
    });
  });
  const url = `http://127.0.0.1:${await listening(proxy)}`;
  return {
    url,
    tunnels,
    requests,
    async [Symbol.asyncDispose]() {
      for (const server of [proxy, inside]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
