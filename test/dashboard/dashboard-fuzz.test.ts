import { test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { openDatabase } from '../store/open-postgres.ts';
import { openMemory } from '../store/open-sqlite.ts';
import { fuzzDashboard } from './dashboard-fuzz.ts';

const PLAN = { requests: 1_500, seed: 20_261_127 };
const TITLE = `no response to ${PLAN.requests} hostile requests to the dashboard and the connect pages is a 5xx`;

test(`${TITLE}, on SQLite`, () => fuzzDashboard(openMemory, PLAN));

describePostgres('The dashboard on Postgres', () => {
  test(TITLE, () => fuzzDashboard(openDatabase, PLAN));
});
