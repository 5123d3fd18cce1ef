import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, runService } from '../run-service.ts';

const describeRoot = process.getuid?.() === 0 ? describe : describe.skip;

describePostgres('the service runs with its embedded database', () => {
  test('starts in an empty folder, creates an account, and stops cleanly on SIGTERM', async () => {
    // If root starts Postgres, it runs as another user, who needs access to the folder.
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
    const { api_url, database, configuration_warnings } = JSON.parse(bin.stdout());
    expect(database).toBe('embedded');
    expect(configuration_warnings).toContainEqual(expect.objectContaining({ setting: 'NAMEPLATE_CAS' }));
    const created = await runService(['accounts', 'create', 'Acme', '--json'], env);
    const { test_key } = JSON.parse(created.stdout);
    expect((await api(api_url, test_key, 'GET /apps/current')).status).toBe(200);

    const running = await runService(['status', '--json'], env);
    expect(JSON.parse(running.stdout)).toMatchObject({ database: 'ok', migrations: 'ok' });
    // A command that exits must leave the node's database running.
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

  test("starts in the emulator's folder, which is closed to other users", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-embedded-'));
    chmodSync(folder, 0o711);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(path.join(folder, '.nameplate'), { mode: 0o700 });
    const { exit, stderr } = await runService(['accounts', 'create', 'Acme'], {
      NAMEPLATE_DATA_DIR: path.join(folder, '.nameplate/service'),
    });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });

  describeRoot('as root', () => {
    test("reports another user's closed folder and how to open it, and leaves the folder closed", async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-embedded-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const { exit, stdout } = await runService(['accounts', 'list', '--json'], {
        NAMEPLATE_DATA_DIR: path.join(folder, 'data'),
      });
      const { message, fix } = JSON.parse(stdout).error;
      expect(exit).toBe(8);
      expect(message).toContain(`who has no access to ${folder}.`);
      expect(fix).toContain(`chmod o+x ${folder}`);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    });
  });

  test('creates no database for service status in a folder without one', async () => {
    const dataDir = path.join(emptyFolder(), 'data');
    const { exit, stdout } = await runService(['status'], {
      NAMEPLATE_DATA_DIR: dataDir,
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:1',
    });
    expect(exit).toBe(8);
    expect(stdout).toContain('nameplate service start creates it');
    expect(existsSync(dataDir)).toBe(false);
  });
});
