/** The part of Node.js that reported the error of a connection. */
export const CONNECTION_ERROR_KINDS = ['socket', 'tls', 'stream', 'http', 'http2'] as const;
export type ConnectionErrorKind = (typeof CONNECTION_ERROR_KINDS)[number];

/**
 * Returns the kind of an error that certainly concerns one connection and did not interrupt our own code. Returns null for any other error,
 * after which the state of the process can no longer be trusted (`decisions/0019`).
 */
export function connectionErrorKind(error: unknown): ConnectionErrorKind | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  if (SOCKET_CODES.has(code)) return isSocketCall(error) ? 'socket' : null;
  const emitted = EMITTED[code];
  if (emitted !== undefined) return emitted;
  const [, kind = null] = PREFIXES.find(([prefix]) => code.startsWith(prefix)) ?? [];
  return kind !== null && isNodesAlone(error) ? kind : null;
}

/** The operating system's error codes that Node.js reports through a callback, so that they never interrupt the code that made the call. */
const SOCKET_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);
const SOCKET_CALLS = new Set<unknown>(['read', 'write', 'shutdown', 'connect']);

function isSocketCall(error: Error): boolean {
  return 'syscall' in error && SOCKET_CALLS.has(error.syscall);
}

/** The error codes that Node.js never throws, but passes to a callback or an `error` event on a later tick. */
const EMITTED: Readonly<Record<string, ConnectionErrorKind>> = {
  ERR_STREAM_ALREADY_FINISHED: 'stream',
  ERR_STREAM_DESTROYED: 'stream',
  ERR_STREAM_PREMATURE_CLOSE: 'stream',
  ERR_STREAM_PUSH_AFTER_EOF: 'stream',
  ERR_STREAM_WRITE_AFTER_END: 'stream',
  ERR_HTTP2_ERROR: 'http2',
  ERR_HTTP2_SESSION_ERROR: 'http2',
  ERR_HTTP2_STREAM_CANCEL: 'http2',
  ERR_HTTP2_STREAM_ERROR: 'http2',
};

/** Prefixes of error codes that Node.js may also throw. The stack of such an error has to show that our code was not running. */
const PREFIXES: readonly (readonly [prefix: string, kind: ConnectionErrorKind])[] = [
  ['ERR_SSL_', 'tls'],
  ['ERR_TLS_', 'tls'],
  ['ERR_STREAM_', 'stream'],
  ['ERR_HTTP2_', 'http2'],
  ['ERR_HTTP_', 'http'],
  ['HPE_', 'http'],
];

/** Returns true if the error's stack is complete and each frame is in Node.js itself. */
function isNodesAlone({ stack = '' }: Error): boolean {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length < Error.stackTraceLimit && frames.every((frame) => NODES_FRAME.test(frame));
}

const NODES_FRAME = /^\s+at (?:.*\()?(?:node:|native\b|<anonymous>)/;
