import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

/** Visits a hostname at an edge on this machine over a new TLS connection. @returns the body of the response. */
export async function visit(port: number, hostname: string): Promise<string> {
  const sent = request({
    host: '127.0.0.1',
    port,
    servername: hostname,
    headers: { Host: hostname },
    agent: false,
    rejectUnauthorized: false,
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${hostname} responded with ${response.statusCode}`);
  return body;
}

/** Completes a full handshake for a hostname at an edge on this machine, and ends the connection. */
async function shakeHands(port: number, servername: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.end();
  await once(socket.resume(), 'close');
}

/** Completes a full handshake for each hostname, several at a time. */
export async function shakeHandsWithAll(
  port: number,
  hostnames: readonly string[],
  atOnce: number,
): Promise<void> {
  let next = 0;
  const visitor = async () => {
    for (;;) {
      const hostname = hostnames[next++];
      if (hostname === undefined) return;
      await shakeHands(port, hostname);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visitor));
}
