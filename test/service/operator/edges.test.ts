import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { createBeatStore } from '../../../service/edge/health/beat-store.ts';
import type { EdgeBeat } from '../../../shared/core/edge/edge-health.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment } from '../run-service.ts';

const BEAT: EdgeBeat = { node: 'fra-1', region: 'eu', addresses: ['192.0.2.1'], state: 'serving' };

describePostgres('service edges', () => {
  let deployment: Deployment;
  let connection: ReturnType<typeof openPostgresStore>;
  beforeAll(async () => {
    deployment = await createDeployment();
    connection = openPostgresStore({
      connectionString: deployment.database.url,
      connectionsMax: 1,
      onIdleError: () => undefined,
    });
  });
  afterAll(async () => {
    await connection.close();
    await deployment[Symbol.asyncDispose]();
  });

  const run = (command: string) => deployment.json(['edges', ...command.split(' ')]);
  /** Stores beats from the future, so that no machine falls silent while a test waits for a busy computer. */
  const hear = async (...beats: Partial<EdgeBeat>[]) => {
    const store = createBeatStore(connection.store);
    await Promise.all(beats.map((beat) => store.saveBeat({ ...BEAT, ...beat })));
    await sql`update edge_beats set heard_at = heard_at + ${HOUR_MS}`.execute(connection.store.db);
  };
  const states = async () => (await run('list')).document.data.map(({ node, state }) => `${node} ${state}`);
  const audited = async () =>
    (await deployment.json(['audit', 'list'])).document.data.map(
      ({ action, subject, actor }) => `${actor} ${action} ${subject}`,
    );

  test('without a heartbeat, the empty list and the error of a drain name the setting', async () => {
    expect((await deployment.service(['edges', 'list'])).stdout).toContain(
      'No edge machine has sent a heartbeat. Set NAMEPLATE_EDGE_ADDRESSES on each edge machine',
    );
    const { exit, document } = await run('drain fra-1');
    expect([exit, document.error]).toMatchObject([
      5,
      { code: 'not_found', fix: expect.stringContaining('NAMEPLATE_EDGE_ADDRESSES') },
    ]);
  });

  test('the list shows each machine with its region, its addresses, its state and its last heartbeat', async () => {
    await hear({}, { node: 'iad-1', region: 'us', addresses: ['192.0.2.2'], state: 'not_ready' });
    expect((await run('list')).document).toEqual({
      data: [
        {
          node: 'fra-1',
          region: 'eu',
          addresses: ['192.0.2.1'],
          state: 'serving',
          heard_s: expect.any(Number),
          drained_at: null,
          drained_by: null,
        },
        expect.objectContaining({ node: 'iad-1', region: 'us', state: 'not_ready' }),
      ],
    });
    expect((await deployment.service(['edges', 'list'])).stdout).toMatch(
      /iad-1 +us +192\.0\.2\.2 +not ready +\d s ago/,
    );
  });

  test('the last machine that serves is drained only with --force', async () => {
    await hear({}, { node: 'iad-1', region: 'us', state: 'not_ready' });
    const { exit, document } = await run('drain fra-1');
    expect([exit, document.error]).toMatchObject([
      2,
      { code: 'usage', fix: expect.stringContaining('--force') },
    ]);
    await hear({});
    expect((await run('drain fra-1 --force')).document).toMatchObject({ node: 'fra-1', state: 'draining' });
    expect((await run('undrain fra-1')).exit).toBe(0);
  });

  test('a drain stays until it is undone, and both write a line to the audit log', async () => {
    await hear({}, { node: 'iad-1', region: 'us' });
    expect((await run('drain fra-1')).document).toMatchObject({
      state: 'draining',
      drained_by: 'ada@example.net',
      drained_at: expect.any(String),
    });
    await hear({}, { node: 'iad-1', region: 'us' });
    expect((await run('drain fra-1')).exit).toBe(0);
    await hear({ state: 'drained' }, { node: 'iad-1', region: 'us' });
    expect(await states()).toEqual(['fra-1 drained', 'iad-1 serving']);
    const { stdout } = await deployment.service(['edges', 'undrain', 'fra-1']);
    // The last heartbeat still says that the machine is drained.
    expect(stdout).toContain('The drain of fra-1 has ended');
    expect(stdout).not.toMatch(/state +drained/);
    expect((await run('undrain fra-1')).document).toMatchObject({ node: 'fra-1', drained_at: null });
    await hear({});
    expect(await states()).toContain('fra-1 serving');
    expect(await audited()).toEqual(
      expect.arrayContaining(['ada@example.net edge.drain fra-1', 'ada@example.net edge.undrain fra-1']),
    );
  });

  test('the error for an unknown machine lists the known names', async () => {
    await hear({}, { node: 'iad-1', region: 'us' });
    for (const command of ['drain fra-2', 'undrain fra-2'])
      expect((await run(command)).document.error).toMatchObject({
        code: 'not_found',
        fix: 'Use one of these names: fra-1, iad-1.',
      });
  });
});
