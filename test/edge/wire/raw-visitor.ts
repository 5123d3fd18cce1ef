import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

/** A visitor that writes the given bytes and records every byte it receives. */
export interface RawVisitor extends Disposable {
  socket: Socket;
  /** Returns all bytes received so far, as one character for each byte. */
  text(): string;
  write(bytes: string): void;
  /** Disconnects with a reset (RST) instead of a close. */
  reset(): void;
  /** Resolves with the received text once the text satisfies the condition, or once the connection has ended. */
  until(condition: (text: string) => boolean): Promise<string>;
  /** Resolves with the received text when the connection has ended. */
  ended(): Promise<string>;
}

/**
 * Connects a visitor.
 * @param servername if given, the visitor uses TLS and offers only HTTP/1.1.
 * @param localAddress the address to connect from: on Linux, any of 127.0.0.0/8.
 * @param proxyHeader the bytes that a load balancer sends first, without TLS.
 * @param host the address to connect to.
 */
export async function rawVisitor(
  port: number,
  servername?: string,
  localAddress = '127.0.0.1',
  proxyHeader: string | Buffer = '',
  host = '127.0.0.1',
): Promise<RawVisitor> {
  const to = { port, host, localAddress };
  const tcp = connect({ ...to, noDelay: true });
  if (proxyHeader.length > 0) tcp.write(proxyHeader);
  const socket =
    servername === undefined
      ? tcp
      : tlsConnect({ socket: tcp, servername, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  await once(socket, servername === undefined ? 'connect' : 'secureConnect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  // Tests expect resets, so an error only closes the socket.
  socket.on('error', () => socket.destroy());
  const until = (condition: (text: string) => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (!socket.closed && !condition(text)) return;
        socket.off('data', look).off('close', look);
        resolve(text);
      };
      socket.on('data', look).on('close', look);
      look();
    });
  return {
    socket,
    text: () => text,
    write: (bytes) => socket.write(bytes, 'latin1'),
    reset: () => void tcp.resetAndDestroy(),
    until,
    ended: () => until(() => false),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** Sends bytes over a new connection and reads one response. */
export async function send(port: number, bytes: string): Promise<Answer> {
  using visitor = await rawVisitor(port);
  visitor.write(bytes);
  return parseAnswer(await visitor.until(isWhole));
}

export interface Answer {
  /** The status of the response; 0 if there was no response. */
  status: number;
  /** The headers by lowercase name. The values of a repeated header are joined with a line feed. */
  headers: Record<string, string>;
  body: string;
}

/** Parses the first final response in the text, and skips interim (1xx) responses. */
export function parseAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  if (status >= 100 && status < 200 && status !== 101) return parseAnswer(text.slice(end + 4));
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  const rest = text.slice(end + 4);
  return { status, headers, body: headers['transfer-encoding'] === 'chunked' ? dechunk(rest) : rest };
}

/** Returns whether a response with Content-Length or chunked encoding is complete. Any other response ends when the connection ends. */
export function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const { status, headers, body } = parseAnswer(text);
  if (status === 0) return false;
  if (status === 204 || status === 304) return true;
  if (headers['transfer-encoding'] === 'chunked') return /(?:^|\r\n)0\r\n\r\n$/.test(text.slice(end + 4));
  return headers['content-length'] !== undefined && body.length >= Number(headers['content-length']);
}

function dechunk(text: string): string {
  let body = '';
  let rest = text;
  for (let i = 0; i < 100_000; i++) {
    const size = Number.parseInt(rest, 16);
    if (!(size > 0)) break;
    const start = rest.indexOf('\r\n') + 2;
    body += rest.slice(start, start + size);
    rest = rest.slice(start + size + 2);
  }
  return body;
}

/** Repeats a request on one connection until the connection ends. @returns the last response, or the part of it that arrived. */
export async function askUntilLast(port: number, request: string, onAnswer: () => void): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let got = '';
  socket.on('error', () => undefined).on('connect', () => socket.write(request));
  socket.on('data', (text) => {
    got += text;
    if (!isWhole(got)) return;
    onAnswer();
    if (parseAnswer(got).headers['connection'] === 'close') return;
    got = '';
    socket.write(request);
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return got;
}
