import { expect, test } from 'vitest';
import { migrateDatabase } from '../../../service/database/migrations.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { MIGRATIONS } from '../../store/migration-names.ts';
import { createDeployment } from '../run-service.ts';

const PENDING = `pending: ${MIGRATIONS.join(', ')}`;

describePostgres('migrating a database', () => {
  test('a fresh database is refused until it is migrated', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const refused = await fresh.service(['start']);
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain('Run: nameplate service migrate');
    expect((await fresh.json(['status'])).document).toMatchObject({ migrations: PENDING });
    expect((await fresh.json(['migrate'])).document.done).toEqual(MIGRATIONS);
    expect((await fresh.json(['migrate'])).document.done).toEqual([]);
    const { document } = await fresh.json(['audit', 'list']);
    expect(document.data).toMatchObject([{ action: 'database.migrate', actor: 'ada@example.net' }]);
  });

  test('two concurrent migrations take turns, and the second has nothing to do', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const both = await Promise.all([fresh.json(['migrate']), fresh.json(['migrate'])]);
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(both.flatMap(({ document }) => document.done)).toEqual(MIGRATIONS);
    expect((await fresh.json(['audit', 'list'])).document.data).toHaveLength(1);
  });

  test('a migration that cannot be written to the audit log is rolled back', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const log = { info: () => undefined, warn: () => undefined, error: console.error };
    const unrecorded = migrateDatabase(fresh.database.url, log, async () => {
      throw new Error('the record is full');
    });
    await expect(unrecorded).rejects.toThrow('the record is full');
    expect((await fresh.json(['status'])).document).toMatchObject({ migrations: PENDING });
  });
});
