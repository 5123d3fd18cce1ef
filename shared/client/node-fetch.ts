import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../core/edge/address.ts';
import type { Fetch } from './request.ts';

/** `fetch` over Node's own http, for the command line: loading the global one takes longer than a whole command should. */
export const nodeFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { protocol, hostname } = new URL(url);
  // An import would read every export of node:http, and one of them loads the global fetch; TLS is loaded when needed.
  const { request, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const agent = usesProxy(hostname) ? { agent: new Agent({ proxyEnv: process.env }) } : {};
  const call = request(url, { method, headers: { ...headers, ...length }, signal, ...agent }, resolve);
  call.on('error', reject);
  call.end(body ?? undefined);
  // Node names the abort; what fetch throws, and callers ask for, is the reason.
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

/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as Node reads them. What runs on this machine needs no way out of it. */
function usesProxy(hostname: string): boolean {
  const { env } = process;
  return (
    Boolean(env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy) &&
    !isLoopbackHost(hostname)
  );
}
