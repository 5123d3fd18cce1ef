import { test } from 'vitest';
import { startEmulatorDriver } from '../conformance/emulator-driver.ts';
import { fuzz } from '../conformance/openapi/openapi-fuzz.ts';
import { startServiceDriver } from '../conformance/service-driver.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';

const PLAN = { requests: 100_000, seed: 1, atOnce: 4 } as const;
const TITLE = `${PLAN.requests} requests made from the OpenAPI document get responses that it describes`;

test(`${TITLE}, from the emulator`, { timeout: 3_600_000 }, () => fuzz(startEmulatorDriver, PLAN));

describePostgres('The service on Postgres', () => {
  test(TITLE, { timeout: 3_600_000 }, () => fuzz(startServiceDriver, PLAN));
});
