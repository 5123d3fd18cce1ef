import { expect } from 'vitest';
import type { Log } from '../../../shared/ports/system.ts';
import type { Driver } from '../driver.ts';
import { responseChecker } from './openapi-check.ts';
import { createFuzzer, openApiDocumentOf, sampleRequests } from './openapi-fuzzer.ts';

/** Number of apps that send requests in turn. With one app, its rate limit and the delay of refused requests would slow the test. */
const APPS = 4;
/** Number of requests per app between two moves of the clock. It is small, because a longer pause would end idle connections. */
const ROUND = 10;

/**
 * Sends requests generated from the OpenAPI document. Checks that the document describes each response, that each operation succeeds at
 * least once, and that nothing is logged as a warning or an error.
 * @param start starts the server.
 * @param atOnce number of concurrent requests. With 1, a seed repeats the same run.
 */
export async function fuzz(
  start: (log: Log) => Promise<Driver>,
  { requests, seed, atOnce }: { requests: number; seed: number; atOnce: 1 | typeof APPS },
): Promise<void> {
  const logged: string[] = [];
  const note = ({ error }: Record<string, unknown>, message: string) => logged.push(`${message} ${error}`);
  const driver = await start({ info: () => undefined, warn: note, error: note });
  try {
    // Ignores the warnings about settings that the server logs at its start.
    logged.length = 0;
    const document = await openApiDocumentOf(driver);
    const problemsOf = responseChecker(document);
    const fuzzers = [];
    for (let n = 0; n < APPS; n++) {
      const app = await driver.createApp({ name: `App ${n}` });
      fuzzers.push(await createFuzzer(driver, app));
    }
    const succeeded = new Set<string>();

    for (let sent = 0; sent < requests; sent += APPS * ROUND) {
      const round = sampleRequests(document, APPS * ROUND, seed + sent);
      // Lets timers run before the request, because a timer may end an idle connection.
      await new Promise((resolve) => setImmediate(resolve));
      const portions = fuzzers.map((fuzzer, app) => async () => {
        for (const [index, request] of round.slice(app * ROUND, (app + 1) * ROUND).entries()) {
          const response = await fuzzer.send(request, index);
          const { status, text } = response;
          const shown = JSON.stringify({ seed: seed + sent, app, index, request }).slice(0, 1000);
          expect(problemsOf(request, response), `${shown} got ${status} ${text.slice(0, 500)}`).toEqual([]);
          if (status < 300) succeeded.add(request.operationId);
        }
      });
      if (atOnce === 1) for (const portion of portions) await portion();
      else await Promise.all(portions.map((portion) => portion()));
      await driver.advance('1s');
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect([...succeeded].toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    expect(logged).toEqual([]);
  } finally {
    await driver.close();
  }
}
