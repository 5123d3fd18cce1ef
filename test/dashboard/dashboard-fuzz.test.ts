import { test } from 'vitest';
import { openMemory } from '../store/open-sqlite.ts';
import { fuzzDashboard, QUICK } from './dashboard-fuzz.ts';

test(`no response to ${QUICK.requests} hostile requests to the dashboard and the connect pages is a 5xx`, () =>
  fuzzDashboard(openMemory, QUICK));
