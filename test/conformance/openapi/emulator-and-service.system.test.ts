import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import type { Driver } from '../driver.ts';
import { startEmulatorDriver } from '../emulator-driver.ts';
import { startServiceDriver } from '../service-driver.ts';
import { createFuzzer, openApiDocumentOf, sampleRequests } from './openapi-fuzzer.ts';
import { createStableNames, type StableResponse } from './stable-names.ts';

const REQUESTS = 2_000;
const SEED = 28;
/** Number of requests between two long moves of the clock, which let timers run and rate limits refill. */
const ROUND = 20;

/** Matches the edge addresses of both servers, also inside the body of an event, which is JSON in a string. */
const EDGE_ADDRESSES =
  /(?:127\.0\.0\.1|203\.0\.113\.10)(?=\\?"\],\\?"aaaa)|(?:::1|2001:db8::10)(?=\\?"\],\\?"txt)/g;

const ACME_CHALLENGE = /(\\?"(?:www_)?acme_challenge\\?":)(?:null|\{[^}]*\})/g;

interface Difference {
  reason: string;
  /** Returns the response without the parts that may differ. */
  without(response: StableResponse): StableResponse;
}

/** The responses in which the emulator may differ from the service. All other responses must be equal. */
const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'The emulator limits keys and not apps: an app has no neighbour there.',
    without({ headers, ...rest }) {
      const others = Object.entries(headers).map(([name, value]) => [
        name,
        name.startsWith('ratelimit') ? value.replace(/, "app";.*/, '') : value,
      ]);
      return { ...rest, headers: Object.fromEntries(others) };
    },
  },
  {
    reason: 'The edge of the emulator is on this machine, so an apex domain points elsewhere.',
    without: ({ body, ...rest }) => ({ ...rest, body: body.replace(EDGE_ADDRESSES, '<edge>') }),
  },
  {
    reason: 'The emulator plays the delegation of a test domain, whose DNS the service never looks up.',
    without: ({ body, ...rest }) => ({ ...rest, body: body.replace(ACME_CHALLENGE, '$1"<challenge>"') }),
  },
];

describePostgres('The emulator and the service on Postgres', () => {
  test(`give the same responses to ${REQUESTS} requests generated from the OpenAPI document`, {
    timeout: 600_000,
  }, async () => {
    await using stack = new AsyncDisposableStack();
    const start = async (driver: Driver) => {
      stack.defer(() => driver.close());
      const stable = createStableNames(driver.base_url, await driver.now());
      return { driver, stable, fuzzer: await createFuzzer(driver, await driver.createApp({ name: 'Acme' })) };
    };
    const emulator = await start(await startEmulatorDriver());
    const service = await start(await startServiceDriver());
    const document = await openApiDocumentOf(service.driver);
    expect(withBase(await openApiDocumentOf(emulator.driver), emulator.driver)).toEqual(
      withBase(document, service.driver),
    );
    const seen = new Set<Difference>();

    for (const [index, request] of sampleRequests(document, REQUESTS, SEED).entries()) {
      const respond = async ({ fuzzer, stable }: typeof emulator) =>
        stable(await fuzzer.send(request, index));
      const [ofEmulator, ofService] = await Promise.all([respond(emulator), respond(service)]);
      const about = `request ${index}: ${JSON.stringify(request).slice(0, 1000)}`;
      expect(without(DIFFERENCES, ofEmulator), about).toEqual(without(DIFFERENCES, ofService));
      for (const each of DIFFERENCES) {
        const others = DIFFERENCES.filter((other) => other !== each);
        if (!isDeepStrictEqual(without(others, ofEmulator), without(others, ofService))) seen.add(each);
      }
      const isChange = request.method !== 'GET' && ofService.status < 300;
      // Moves the clock after each change, so that no two changes have the same time. Lists sort equal times by random ids.
      const by = index % ROUND === 0 ? '1s' : '10ms';
      if (index % ROUND === 0 || isChange) {
        await Promise.all([emulator, service].map(({ driver }) => driver.advance(by)));
      }
    }
    for (const each of DIFFERENCES) expect(seen, each.reason).toContain(each);
  });
});

function without(differences: readonly Difference[], response: StableResponse): StableResponse {
  return differences.reduce((rest, difference) => difference.without(rest), response);
}

function withBase(document: object, { base_url }: Driver): unknown {
  return JSON.parse(JSON.stringify(document).replaceAll(base_url, '<base>'));
}
