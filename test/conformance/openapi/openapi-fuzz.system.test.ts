import { test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startEmulatorDriver } from '../emulator-driver.ts';
import { startServiceDriver } from '../service-driver.ts';
import { fuzz } from './openapi-fuzz.ts';

const REQUESTS = 4_000;
const SEED = 20_261_122;
const TITLE = `${REQUESTS} requests made from the OpenAPI document get responses that it describes`;

test(`${TITLE}, from the emulator`, { timeout: 300_000 }, () =>
  fuzz(startEmulatorDriver, { requests: REQUESTS, seed: SEED, atOnce: 1 }),
);

describePostgres('The service on Postgres', () => {
  test(TITLE, { timeout: 300_000 }, () =>
    fuzz(startServiceDriver, { requests: REQUESTS, seed: SEED + REQUESTS, atOnce: 1 }),
  );
});
