import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KEYS, runService } from '../run-service.ts';

const DATABASE = { DATABASE_URL: 'postgres://nameplate_edge:password@127.0.0.1:1/nameplate' };
const EDGE = { NAMEPLATE_ROLES: 'edge', NAMEPLATE_EDGE_KEYS: KEYS.k1 };
const NATS = { NATS_URL: 'nats://127.0.0.1:1', NAMEPLATE_EDGE_SOURCE: 'nats' };

test.each([
  ['an edge that reads from NATS', { ...EDGE, ...NATS }],
  ['an edge that reads from Postgres', { ...EDGE, ...DATABASE }],
  ['a relay', { NAMEPLATE_ROLES: 'relay', ...NATS, ...DATABASE }],
])(
  'with the settings of %s, a command that needs the database says where to run it, and creates none',
  async (_, env) => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'nameplate-outside-')), 'data');
    for (const command of ['accounts list', 'edges list', 'relay status', 'migrate']) {
      const argv = [...command.split(' '), '--json'];
      const { exit, stdout } = await runService(argv, { ...env, NAMEPLATE_DATA_DIR: folder });
      expect([exit, JSON.parse(stdout).error]).toMatchObject([
        2,
        { code: 'usage', fix: expect.stringContaining('the settings of a node with the role api or worker') },
      ]);
    }
    expect(existsSync(folder)).toBe(false);
  },
);
