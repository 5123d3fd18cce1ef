import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import querystring from 'node:querystring';
import { createInterface } from 'node:readline';
import { addAbortSignal } from 'node:stream';
import { ownServer } from '../../../shared/adapters/owned-server.ts';

/** The fields of a response, by name. */
export type Fields = Readonly<Record<string, string>>;

/** Handles one kind of request from nginx. @returns null if nothing was found. */
export type ControlHandler = (...args: string[]) => Promise<Fields | null>;

/**
 * Creates the server in the node process to which nginx sends requests over a local socket. A request is a line with a verb and
 * percent-encoded arguments. A response is a line with a state and a length, followed by a body of this length.
 * @param ended closes the connections that nginx keeps open. Over these connections, nginx would otherwise get outdated routes.
 */
export function createControlServer(
  handlers: Readonly<Record<string, ControlHandler>>,
  ended: AbortSignal,
): Server {
  return ownServer(createServer((socket) => void serve(addAbortSignal(ended, socket), handlers)));
}

async function serve(socket: Socket, handlers: Readonly<Record<string, ControlHandler>>): Promise<void> {
  try {
    for await (const line of createInterface({ input: socket })) socket.write(await respond(line, handlers));
  } catch {
    // A worker of nginx has closed the connection.
  } finally {
    socket.destroy();
  }
}

async function respond(line: string, handlers: Readonly<Record<string, ControlHandler>>): Promise<Buffer> {
  const [verb = '', ...args] = line.split(' ');
  try {
    const handler = handlers[verb];
    if (handler === undefined) throw new Error(`unknown request ${verb}`);
    // Bytes from visitors may not be UTF-8, and `decodeURIComponent` would throw for them.
    const found = await handler(...args.map((arg) => querystring.unescape(arg)));
    return found === null ? response('none', '') : response('found', fieldsText(found));
  } catch (error) {
    return response('failed', error instanceof Error ? error.message : String(error));
  }
}

function response(state: 'found' | 'none' | 'failed', text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${state} ${body.length}\n`), body]);
}

/** Writes each field as a line with its name and length, then its bytes. */
function fieldsText(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, text]) => `${name} ${Buffer.byteLength(text)}\n${text}\n`)
    .join('');
}

/**
 * How many connections from nginx may wait to be accepted. Each visitor's request that needs a lookup opens a connection, and the system
 * refuses connections beyond this number.
 */
const BACKLOG = 4096;

/**
 * Listens on a socket file that a previous node process may still use. Listens under a temporary name first, then renames the file. When a
 * server closes, Node removes only the temporary name, so a closing process leaves its successor's file.
 */
export async function listenAt(server: Server, file: string): Promise<void> {
  const own = `${file}.${randomUUID().slice(0, 8)}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: own, exclusive: true, backlog: BACKLOG }, resolve);
  });
  renameSync(own, file);
}
