import type { Socket } from 'node:net';

/** The start of a `100 Continue`. */
const BEGUN = /^HTTP\/1\.[01] 100/;
const START_CHARS = 'HTTP/1.1 100'.length;
const WHOLE = /^(?:HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/;

/**
 * Removes each `100 Continue` at the start of a response from what a socket reads. Servers send it unasked, which RFC 9110 section 15.2 lets a
 * client ignore, but undici breaks off the connection.
 * @returns a function to call before each request.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let isAtStart = true;
  let held = '';
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || !isAtStart) return chunk;
    isAtStart = held !== '' || BEGUN.test(chunk.toString('latin1', 0, START_CHARS));
    if (!isAtStart) return chunk;
    const rest = (held + chunk.toString('latin1')).replace(WHOLE, '');
    isAtStart = rest.length < START_CHARS || BEGUN.test(rest);
    held = isAtStart ? rest : '';
    return isAtStart ? null : Buffer.from(rest, 'latin1');
  };
  return () => {
    isAtStart = true;
    held = '';
  };
}
