import { connect } from 'node:net';

const RESPONSE_END = 'HTTP/1.1 200 OK';

/**
 * Sends requests over keep-alive connections until `enough` returns true. Replaces broken connections. Returns the number of complete
 * responses and of broken connections.
 */
export async function keepAsking(
  port: number,
  hosts: readonly string[],
  { connections, enough }: { connections: number; enough: (answered: number) => boolean },
): Promise<{ answered: number; broken: number }> {
  let [begun, answered, broken] = [0, 0, 0];
  /** Sends one request after another on one connection, until the connection breaks. */
  const converse = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let waits = false;
      const ask = () => {
        if (enough(begun)) return void socket.end();
        const host = hosts[begun % hosts.length];
        begun += 1;
        waits = true;
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      };
      socket.on('connect', ask);
      // The origin's responses are short, so each response arrives in one packet.
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith(RESPONSE_END)) answered += 1;
        waits = false;
        ask();
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        if (waits) broken += 1;
        resolve();
      });
    });
  const visitor = async () => {
    while (!enough(begun)) {
      await converse();
      // Waits, because nothing listens while the edge restarts.
      if (!enough(begun)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  return { answered, broken };
}
