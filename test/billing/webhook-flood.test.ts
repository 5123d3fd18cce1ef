import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { toNodeHandler } from 'h3';
import { expect, test } from 'vitest';
import { createAdmission } from '../../shared/http/admission.ts';
import { createApi } from '../../shared/http/api.ts';
import { type BillingWebhookOptions, serveBillingWebhooks } from '../../shared/http/billing-webhooks.ts';
import { billingWorld } from './billing-world.ts';

/** Starts a node with ten slots for webhooks. One network may use two slots while the other slots are free. */
async function servedWorld(options: Omit<BillingWebhookOptions, 'admission'> = {}) {
  const world = await billingWorld();
  const { context } = world;
  const admission = createAdmission(context, {
    requestsMax: 10,
    listTimeoutMs: 1_000,
    storeOf: () => context.store,
  });
  const app = createApi(context, { admission }, (server) =>
    serveBillingWebhooks(server, context, { admission, ...options }),
  );
  const server = createServer(toNodeHandler(app) as RequestListener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await world.settle();
  const dispose = world[Symbol.asyncDispose];
  return Object.assign(world, {
    id,
    url: `http://127.0.0.1:${port}`,
    /** Sends a webhook without the last byte of its body. @returns the response; an empty text if the connection fails. */
    sendPart(bytes = 1): Promise<string> {
      const socket = connect(port, '127.0.0.1');
      const head = ['POST /webhooks/stripe HTTP/1.1', 'Host: x', `Content-Length: ${bytes + 1}`];
      socket.write(`${[...head, 'Connection: close', '', ''].join('\r\n')}${' '.repeat(bytes)}`);
      return text(socket).catch(() => '');
    },
    sendSigned() {
      const [event] = world.stripe.account.events;
      if (event === undefined) throw new Error('there is no event');
      const { body, signature } = world.stripe.sign(event);
      const headers = { 'stripe-signature': signature };
      return fetch(`${this.url}/webhooks/stripe`, { method: 'POST', body, headers });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await dispose();
    },
  });
}

test('webhooks with endless bodies delay neither pages nor the webhooks of Stripe', async () => {
  await using world = await servedWorld();
  for (let sent = 0; sent < 30; sent++) void world.sendPart();
  await setTimeout(200);
  const startedAt = performance.now();
  const page = await fetch(`${world.url}/v1/openapi.json`);
  const signed = await world.sendSigned();
  expect([page.status, signed.status]).toEqual([200, 200]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

test('a webhook whose body does not arrive in time is refused', async () => {
  await using world = await servedWorld({ bodyMs: 100 });
  expect(await world.sendPart()).toMatch(/^HTTP\/1.1 400 .*did not arrive in time/s);
});

test('the bodies of all webhooks share a size limit, and a finished webhook frees its bytes', async () => {
  await using world = await servedWorld({ bodyMs: 1_000, bufferedBytesMax: 40_000 });
  const responses = await Promise.all([1, 2, 3].map(() => world.sendPart(15_000)));
  expect(responses.map((each) => each.slice(9, 12)).sort()).toEqual(['400', '400', '503']);
  expect((await world.sendSigned()).status).toBe(200);
});

test('a webhook with a wrong signature does not reach the database', async () => {
  await using world = await servedWorld();
  const { store } = world.context;
  world.context.store = {
    ...store,
    get db(): never {
      throw new Error('the database was used');
    },
  };
  const headers = { 'stripe-signature': 't=1,v1=00' };
  const sent = await fetch(`${world.url}/webhooks/stripe`, { method: 'POST', body: '{}', headers });
  world.context.store = store;
  expect(sent.status).toBe(400);
});
