import { test } from 'vitest';
import { fuzzDashboard } from '../dashboard/dashboard-fuzz.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { openDatabase } from '../store/open-postgres.ts';
import { openMemory } from '../store/open-sqlite.ts';

const PLAN = { requests: 50_000, seed: 1 };
const TITLE = `no response to ${PLAN.requests} hostile requests to the dashboard and the connect pages is a 5xx`;

test(`${TITLE}, on SQLite`, { timeout: 3_600_000 }, () => fuzzDashboard(openMemory, PLAN));

describePostgres('The dashboard on Postgres', () => {
  test(TITLE, { timeout: 3_600_000 }, () => fuzzDashboard(openDatabase, PLAN));
});
