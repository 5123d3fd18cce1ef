import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { WEBHOOK_BODY } from './resources.ts';
import { mismatches, type TypeOf } from './shape.ts';

/** An HTTP endpoint on 127.0.0.1 that records requests and responds as the test wants. */
export interface Receiver extends AsyncDisposable {
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** Returns the response to a request: a status, or a status with headers. A test can replace this function. */
  answer: (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>;
}

export type ReceiverAnswer = number | { status: number; headers: Record<string, string>; body?: string };

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  raw: string;
}

export async function startReceiver(answer: Receiver['answer'] = () => 200, onPort = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, raw: Buffer.concat(chunks).toString('utf8') };
    requests.push(request);
    const said = await receiver.answer(request);
    const { status, headers: more, body } = typeof said === 'number' ? { status: said, headers: {} } : said;
    outgoing.writeHead(status, more).end(body);
  });
  server.listen(onPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Returns a port on which nothing listens. */
export async function closedPort(): Promise<number> {
  await using receiver = await startReceiver();
  return receiver.port;
}

/** Parses the body of a webhook request, and checks the shape that `docs/api.md#webhooks` gives. */
export function webhookBody({ raw }: ReceivedRequest): TypeOf<typeof WEBHOOK_BODY> {
  const body: unknown = JSON.parse(raw);
  expect(mismatches(WEBHOOK_BODY, body)).toEqual([]);
  return body as TypeOf<typeof WEBHOOK_BODY>;
}

/** Parses `Service-Signature` as `docs/api.md#webhooks` describes it. */
export function signatureOf({ headers }: ReceivedRequest): { t: number; v1: string[] } {
  const [, t = '', rest = ''] =
    /^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/.exec(String(headers['service-signature'])) ?? [];
  return { t: Number(t), v1: rest.split(',v1=').slice(1) };
}

/** Returns the signature that `docs/api.md#webhooks` requires: hex HMAC-SHA256 of `<t>.<raw body>`. */
export function expectedSignature(request: ReceivedRequest, secret: string): string {
  return createHmac('sha256', secret)
    .update(`${signatureOf(request).t}.${request.raw}`)
    .digest('hex');
}
