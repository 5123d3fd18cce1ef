import type { IncomingMessage } from 'node:http';
import type { Fetch } from './request.ts';

/** `fetch` over Node's own http, for the command line: loading the global one takes longer than a whole command should. */
export const nodeFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // An import would read every export of node:http, and one of them loads the global fetch; TLS is loaded when needed.
  const { request } = process.getBuiltinModule(
    new URL(url).protocol === 'https:' ? 'node:https' : 'node:http',
  );
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const call = request(url, { method, headers: { ...headers, ...length }, signal }, resolve);
  call.on('error', reject);
  call.end(body ?? undefined);
  try {
    const answer = await promise;
    const status = answer.statusCode ?? 0;
    let content = '';
    answer.setEncoding('utf8');
    for await (const chunk of answer) content += chunk;
    return {
      status,
      ok: status >= 200 && status < 300,
      headers: { get: (name) => [answer.headers[name.toLowerCase()] ?? []].flat()[0] ?? null },
      text: async () => content,
    };
  } catch (error) {
    // Node names the abort; what fetch throws, and callers ask for, is the reason.
    throw signal.aborted ? signal.reason : error;
  }
};
