import { expect, test } from 'vitest';
import { startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor } from '../run-cli.ts';
import { startCli } from '../running-cli.ts';

test('if you answer a question of the CLI with no, nothing changes and the command says so', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf({ hostname: 'careers.acme.com' })),
  });
  const argv = ['domains', 'remove', 'careers.acme.com', '--no-color'];
  await using cli = startCli(argv, { env: keyFor(api.url), keys: true, columns: 80 });
  await cli.untilPrinted(/\[y\/N\]/);
  cli.press('n\r');
  expect(await cli.ended).toBe(130);
  expect(cli.stderr()).toContain('Error: Nothing was done. (interrupted)');
  const { requests } = api;
  expect(requests.filter((request) => request.method !== 'GET')).toEqual([]);
});
