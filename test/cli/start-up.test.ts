import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from './bin-process.ts';
import { startFakeApi } from './fake-api.ts';
import { domainOf, page } from './resources.ts';
import { keyFor } from './run-cli.ts';

/** What a plain command must not load: each of these takes longer than the rest of its start. */
const SLOW = ['internal/deps/undici', 'sqlite', 'NativeModule tls'];

test('a plain command loads neither the global fetch nor TLS, SQLite or the emulator', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page(domainOf()) });
  const report = "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)))";
  const env = {
    ...emptyHome(),
    ...keyFor(api.url),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}`,
  };
  const { exit, stdout, stderr } = await runBin(['domains', 'list'], env);
  expect(exit).toBe(0);
  expect(stdout).toContain('careers.acme.com');
  const loaded: string[] = JSON.parse(stderr);
  expect(loaded.filter((name) => SLOW.some((slow) => name.includes(slow)))).toEqual([]);
});

test('Ctrl-C ends a wait with 130 and, with --json, one document', async () => {
  const domain = domainOf();
  await using api = await startFakeApi({ [`GET /v1/domains/${domain.id}`]: { body: domain } });
  await using bin = startBin(['domains', 'wait', domain.id, '--json'], {
    ...emptyHome(),
    ...keyFor(api.url),
  });
  await expect.poll(() => api.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
  bin.child.kill('SIGINT');
  expect(await bin.ended).toBe(130);
  expect(JSON.parse(bin.stdout()).error).toMatchObject({ code: 'interrupted', exit: 130 });
});
