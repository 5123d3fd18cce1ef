import { test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { openDatabase } from '../store/open-postgres.ts';
import { fuzzDashboard, QUICK } from './dashboard-fuzz.ts';

describePostgres('the dashboard on Postgres withstands hostile requests', () => {
  test(`no response to ${QUICK.requests} hostile requests to the dashboard and the connect pages is a 5xx`, () =>
    fuzzDashboard(openDatabase, QUICK));
});
