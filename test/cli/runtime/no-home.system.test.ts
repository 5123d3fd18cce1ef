import { expect, test } from 'vitest';
import { runBin, startBin } from '../bin-process.ts';

/** Makes Node behave as it does for a user without a passwd entry: there is no home folder unless HOME names one. */
const NO_PASSWD_ENTRY = `data:text/javascript,${encodeURIComponent(`
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.homedir = () => {
    if (process.env.HOME) return process.env.HOME;
    throw new Error('uv_os_homedir returned ENOENT');
  };
  syncBuiltinESMExports();
`)}`;

/** Environments of containers. In the second, no folder can be created in HOME, as with \`HOME=/\` for a user who does not own \`/\`. */
const HOMES: Readonly<Record<string, Record<string, string>>> = {
  'no home folder': { NODE_OPTIONS: `--import=${NO_PASSWD_ENTRY}` },
  'a home folder that cannot be written': { HOME: '/dev/null' },
};

test.each(Object.entries(HOMES))('with %s, a command runs and reports what is missing', async (_, env) => {
  const { stderr } = await runBin(['whoami'], env);
  expect(stderr).toContain('No API key is set');
  expect(stderr).not.toMatch(/\bat .*\.js:/);
});

test.each(Object.entries(HOMES))(
  'with %s, the emulator starts, and other commands reach it by its address',
  async (_, env) => {
    // No user, not even root, can create a state folder below /dev/null.
    const place = { NAMEPLATE_STATE_DIR: '/dev/null/state', ...env };
    await using emulator = startBin(['emulator', 'start', '--ephemeral', '--port', '0'], place);
    const [, url = ''] = await emulator.untilStdout(/ready at (\S+)/);
    expect(emulator.stderr()).toContain(`Use them with --base-url ${url}`);
    const [, key = ''] = /test key +(\S+)/.exec(emulator.stdout()) ?? [];
    const listed = await runBin(['domains', 'list', '--base-url', url], { ...place, NAMEPLATE_API_KEY: key });
    expect([listed.exit, listed.stderr]).toEqual([0, '']);
  },
);
