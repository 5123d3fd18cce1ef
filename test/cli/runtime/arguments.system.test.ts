import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../../bin/main.ts';
import { TOPICS } from '../../../cli/commands.ts';
import { CliConfig } from '../../../cli/runtime/oclif-config.ts';
import { systemWorld } from '../../../cli/settings/world.ts';
import { emptyHome, runBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor } from '../run-cli.ts';

const HOST = 'careers.acme.com';
const config = new CliConfig(systemWorld(), ALL_COMMANDS, TOPICS);

test.each(Object.keys(ALL_COMMANDS))('the command %s reads no argument from stdin', async (id) => {
  const args = Object.values((await config.loadClass(id))?.args ?? {});
  expect(args.filter(({ ignoreStdin }) => ignoreStdin !== true)).toEqual([]);
});

test.each([
  ['domains', 'remove', '--yes'],
  ['domains', 'get'],
])('the command %s %s does not read its missing argument from stdin', async (...argv) => {
  const domain = domainOf({ hostname: HOST });
  await using api = await startFakeApi({
    'GET /v1/domains': page(domain),
    [`DELETE /v1/domains/${domain.id}`]: { status: 204 },
  });
  const { exit, stderr } = await runBin(argv, { ...emptyHome(), ...keyFor(api.url) }, undefined, `${HOST}\n`);
  expect({ exit, requests: api.requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain('Missing argument DOMAIN: hostnames or ids of the domains.');
});
