import type { IncomingMessage } from 'node:http';
import { proxyFor } from './proxy.ts';
import type { Fetch } from './request.ts';

/**
 * A `fetch` over Node's http module. The command line uses it, because loading the global `fetch` takes longer than a whole command should.
 */
export const nodeFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const target = new URL(url);
  const { protocol } = target;
  // A static import would evaluate every export of node:http, and one export loads the global fetch. TLS is loaded only for https.
  const { request, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const proxy = proxyFor(target, process.env);
  // Without this error, Node.js would ignore a proxy that it cannot use, and send the request directly.
  if (proxy !== null && proxy.problem !== null) throw new TypeError(proxy.problem);
  const agent = proxy && {
    agent: new Agent({ proxyEnv: { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url } }),
  };
  const call = request(url, { method, headers: { ...headers, ...length }, signal, ...agent }, resolve);
  call.on('error', reject);
  call.end(body ?? undefined);
  // Node.js rejects with its own AbortError. This function rejects with the signal's reason instead, as fetch does.
  const reasoned = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
  const answer = await reasoned(promise);
  const status = answer.statusCode ?? 0;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => [answer.headers[name.toLowerCase()] ?? []].flat()[0] ?? null },
    text: () => reasoned(textOf(answer)),
    body: answer,
  };
};

async function textOf(answer: IncomingMessage): Promise<string> {
  let content = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) content += chunk;
  return content;
}
