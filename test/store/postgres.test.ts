import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { openDatabase } from './open-postgres.ts';
import { storeConformance } from './store-conformance.ts';

describePostgres('Postgres', () => {
  storeConformance('Postgres', openDatabase);
});
