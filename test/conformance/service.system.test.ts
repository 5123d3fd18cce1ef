import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import type { Driver } from './driver.ts';
import { startServiceDriver } from './service-driver.ts';
import { SUITES } from './suites.ts';

/** Runs the contract's suites, section by section, on one node of the hosted service. */
describePostgres('The service on Postgres', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await startServiceDriver();
  });
  beforeEach(() => driver.reset());
  afterAll(() => driver.close());

  describe.each(Object.entries(SUITES))('%s', (_, suite) => suite(() => driver));
});
