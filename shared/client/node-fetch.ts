import type { IncomingMessage } from 'node:http';
import type { Fetch } from './request.ts';
import { isThisMachine } from './this-machine.ts';

/** A `fetch` over Node's http module for the command line, because loading the global `fetch` takes longer than a whole command should. */
export const nodeFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { protocol, hostname } = new URL(url);
  // A static import would evaluate every export of node:http, one of which loads the global fetch. TLS is loaded only for https.
  const { request, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const agent = usesProxy(hostname) ? { agent: new Agent({ proxyEnv: process.env }) } : {};
  const call = request(url, { method, headers: { ...headers, ...length }, signal, ...agent }, resolve);
  call.on('error', reject);
  call.end(body ?? undefined);
  // Node rejects with its own AbortError. Like fetch, this rejects with the signal's reason instead.
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

/** Returns true if `HTTPS_PROXY` or `HTTP_PROXY` is set and the host is not this machine. Node applies `NO_PROXY`. */
function usesProxy(hostname: string): boolean {
  const { env } = process;
  return (
    Boolean(env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy) &&
    !isThisMachine(hostname)
  );
}
