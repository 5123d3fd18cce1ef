import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyHome, startBin } from '../cli/bin-process.ts';
import { emptyFolder } from '../cli/run-cli.ts';
import { describePostgres } from '../fixtures/postgres.ts';
import { api, runService } from './run-service.ts';

describePostgres('the embedded default', () => {
  test('starts on a fresh folder, opens an account, and ends in order on SIGTERM', async () => {
    // Under root, Postgres runs as another user, who must get through.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-embedded-'));
    chmodSync(folder, 0o711);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = {
      ...emptyHome(),
      NAMEPLATE_DATA_DIR: path.join(folder, 'data'),
      NAMEPLATE_API_LISTEN: '127.0.0.1:0',
      NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
      NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
    };
    await using bin = startBin(['service', 'start', '--json'], env, folder);
    await bin.untilStdout(/\n\}\n/);
    const { api_url, database } = JSON.parse(bin.stdout());
    expect(database).toBe('embedded');
    const created = await runService(['accounts', 'create', 'Acme', '--json'], env);
    const { test_key } = JSON.parse(created.stdout);
    expect((await api(api_url, test_key, 'GET /apps/current')).status).toBe(200);

    const running = await runService(['status', '--json'], env);
    expect(JSON.parse(running.stdout)).toMatchObject({ database: 'ok', migrations: 'ok' });
    // A command that ends takes nothing from the node.
    expect((await api(api_url, test_key, 'GET /domains')).status).toBe(200);

    bin.child.kill('SIGTERM');
    expect(await bin.ended).toBe(0);
    expect(bin.stderr()).toContain('the node has stopped');
    expect(bin.stderr()).not.toMatch(/"level":"(warn|error)"/);
    expect(existsSync(path.join(env.NAMEPLATE_DATA_DIR, 'postgres/postmaster.pid'))).toBe(false);

    const later = await runService(['accounts', 'list', '--json'], env);
    expect(JSON.parse(later.stdout).data).toHaveLength(1);
    expect(existsSync(path.join(env.NAMEPLATE_DATA_DIR, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('status on a folder without a database makes none', async () => {
    const data_dir = path.join(emptyFolder(), 'data');
    const { exit, stdout } = await runService(['status'], {
      NAMEPLATE_DATA_DIR: data_dir,
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:1',
    });
    expect(exit).toBe(8);
    expect(stdout).toContain('nameplate service start makes it');
    expect(existsSync(data_dir)).toBe(false);
  });
});
