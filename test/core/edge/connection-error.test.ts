import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { connectionErrorKind } from '../../../shared/core/edge/connection-error.ts';

test('a socket reset is an error of one connection', async () => {
  const server = createTcpServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1').resume();
  const [error] = await once(socket, 'error');
  server.close();
  expect(error.code).toBe('ECONNRESET');
  expect(connectionErrorKind(error)).toBe('socket');
});

test('a refused connection is an error of one connection, but a port in use is not', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const [taken] = await once(createTcpServer().listen(port, '127.0.0.1'), 'error');
  server.close();
  await once(server, 'close');
  const [refused] = await once(connect(port, '127.0.0.1'), 'error');
  expect([taken.code, connectionErrorKind(taken)]).toEqual(['EADDRINUSE', null]);
  expect([refused.code, connectionErrorKind(refused)]).toEqual(['ECONNREFUSED', 'socket']);
});

test('an error that a stream emits is an error of that stream, even if our code wrote to the stream', async () => {
  const ended = new PassThrough().end();
  ended.write('late');
  const [afterEnd] = await once(ended, 'error');
  const destroyed = new Writable().destroy();
  const gone = await new Promise<Error | null | undefined>((resolve) => destroyed.write('late', resolve));
  expect(connectionErrorKind(afterEnd)).toBe('stream');
  expect(connectionErrorKind(gone)).toBe('stream');
});

test('an error that Node throws while our code runs is not an error of one connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const visitor = connect((server.address() as { port: number }).port, '127.0.0.1');
  visitor.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [req, res] = (await once(server, 'request')) as [{ socket: Socket }, ServerResponse];
  const thrown = thrownBy(() => new ServerResponse(req as never).assignSocket(req.socket));
  res.destroy();
  server.close();
  expect((thrown as NodeJS.ErrnoException).code).toBe('ERR_HTTP_SOCKET_ASSIGNED');
  expect(connectionErrorKind(thrown)).toBeNull();
});

/** Creates an error with stack frames of Node alone, without our code. */
function nodesOwn(code: string, frames: readonly string[]): Error {
  return Object.assign(new Error(code), { code, stack: [`Error: ${code}`, ...frames].join('\n') });
}

const IN_NODE = [
  '    at ServerResponse.assignSocket (node:_http_server:288:11)',
  '    at ServerResponse.resOnFinish (node:_http_server:1033:7)',
  '    at ServerResponse.emit (node:events:508:28)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:90:21)',
];

test.each([
  ['ERR_HTTP_SOCKET_ASSIGNED', IN_NODE, 'http'],
  ['ERR_HTTP_SOCKET_ASSIGNED', [...IN_NODE, '    at serve (file:///app/dist/chunk.js:1:1)'], null],
  // A stack that was cut at its maximum length does not show whether our code is below.
  ['ERR_HTTP_SOCKET_ASSIGNED', Array(Error.stackTraceLimit).fill(IN_NODE[2]), null],
  ['ERR_HTTP2_INVALID_SESSION', IN_NODE, 'http2'],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', [], 'tls'],
  ['HPE_INVALID_CONSTANT', IN_NODE, 'http'],
  // Connections share parsers and agents. If an error may have damaged these, it concerns all connections.
  ['ERR_INTERNAL_ASSERTION', IN_NODE, null],
  ['ERR_INVALID_ARG_TYPE', IN_NODE, null],
  ['EMFILE', IN_NODE, null],
  ['ECONNRESET', IN_NODE, null],
])('the error %s with the stack %j is an error of the kind %s', (code, frames, kind) => {
  expect(connectionErrorKind(nodesOwn(code, frames))).toBe(kind);
});

test.each([
  [new TypeError('a bug')],
  ['text'],
  [null],
  [undefined],
  [{ code: 'ECONNRESET', syscall: 'read' }],
])('the error %s is not an error of one connection, because it can have any cause', (error) => {
  expect(connectionErrorKind(error)).toBeNull();
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
