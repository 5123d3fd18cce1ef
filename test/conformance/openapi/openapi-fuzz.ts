import { expect } from 'vitest';
import type { Log } from '../../../shared/ports/log.ts';
import type { Driver } from '../driver.ts';
import { responseChecker } from './openapi-check.ts';
import { createFuzzer, openApiDocumentOf, sampleRequests } from './openapi-fuzzer.ts';

/** The pace of refusals and the request rate are those of an app, so several apps take turns. */
const APPS = 4;
/** Of each app, before the clock moves. Requests are made in small portions, because a longer wait would end idle connections. */
const ROUND = 10;

/**
 * Sends requests made from the OpenAPI document and asserts that it describes each response, that each operation succeeds at least
 * once, and that nothing is logged as a warning or an error.
 * @param start starts the server.
 * @param atOnce requests that are under way together. With 1, a seed gives the same run again.
 */
export async function fuzz(
  start: (log: Log) => Promise<Driver>,
  { requests, seed, atOnce }: { requests: number; seed: number; atOnce: 1 | typeof APPS },
): Promise<void> {
  const logged: string[] = [];
  const note = ({ error }: Record<string, unknown>, message: string) => logged.push(`${message} ${error}`);
  const driver = await start({ info: () => undefined, warn: note, error: note });
  try {
    // A start may warn about settings.
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
      // Timers first: one of them may end a connection that has been idle.
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
