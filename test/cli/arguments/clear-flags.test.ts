import { expect, test } from 'vitest';
import { AppsUpdate } from '../../../cli/commands/app-changes.ts';
import { DomainsUpdate } from '../../../cli/commands/domains/update.ts';
import { updateAppSchema } from '../../../shared/schema/app.ts';
import { updateDomainSchema } from '../../../shared/schema/domain.ts';
import { startFakeApi } from '../fake-api.ts';
import { appOf, domainOf } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const ID = domainOf().id;

test.each([
  ['apps update', ['apps', 'update'], AppsUpdate, updateAppSchema.shape],
  ['domains update', ['domains', 'update', ID], DomainsUpdate, updateDomainSchema.shape],
] as const)('%s has a --clear flag for each field that can be cleared', async (_, argv, command, shape) => {
  const clears = Object.keys(command.flags).filter((name) => name.startsWith('clear-'));
  await using api = await startFakeApi({
    'PATCH /v1/apps/current': { body: appOf() },
    [`PATCH /v1/domains/${ID}`]: { body: { ...domainOf(), warnings: [] } },
  });
  const run = await runCli([...argv, ...clears.map((name) => `--${name}`)], { env: keyFor(api.url) });
  expect(run.exit).toBe(0);
  const nullable = Object.entries(shape).filter(([, field]) => field.safeParse(null).success);
  expect(nullable.length).toBeGreaterThan(1);
  expect(api.requests[0]?.body).toEqual(Object.fromEntries(nullable.map(([name]) => [name, null])));
});

test('a command refuses a setting flag together with its clearing flag', async () => {
  for (const argv of [
    ['apps', 'update', '--webhook', 'https://a.example.com', '--clear-webhook'],
    ['domains', 'update', ID, '--origin', 'https://a.example.com', '--clear-origin'],
  ]) {
    const { exit, stderr } = await runCli(argv, { env: keyFor('http://127.0.0.1:1') });
    expect(exit).toBe(2);
    expect(stderr).toContain('--clear-');
  }
});
