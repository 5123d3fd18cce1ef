import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/start.ts';
import { signWebhook } from '../../shared/core/webhooks/signature.ts';
import { closedPort } from '../conformance/receiver.ts';

const root = path.resolve(import.meta.dirname, '../..');
const started = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

/** Runs the first example of a guide unchanged, with the package's modules from source. */
function runExample(guide: string, env: Record<string, string>) {
  const text = readFileSync(path.join(root, 'shared/docs', `${guide}.md`), 'utf8');
  const program = /```js\n([\s\S]+?)```/.exec(text)?.[1] ?? '';
  const source = (name: string) => pathToFileURL(path.join(root, `shared/client/${name}.ts`)).href;
  const runnable = program.replace(/'nameplate\/(\w+)'/g, (_, name) => `'${source(name)}'`);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', runnable], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  return { printed: () => printed, ended: once(child, 'close').then(([code]) => code) };
}

test('the client example does what its guide says', async () => {
  const emulator = await startEmulator();
  const example = runExample('sdk-client', {
    NAMEPLATE_BASE_URL: emulator.url,
    NAMEPLATE_API_KEY: emulator.keys.test,
  });
  expect({ code: await example.ended, printed: example.printed() }).toEqual({
    code: 0,
    printed: expect.any(String),
  });
  expect(example.printed()).toMatch(
    /^pending_dns \{ name: 'careers', value: '.+' \}\ncareers\.acme\.com pending_dns\nnot_found /,
  );
  await emulator.close();
});

test('the webhook example accepts a signed request, refuses others, and reports a missing secret', async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'domain.active',
    data: { domain: { hostname: 'careers.acme.com' } },
  });
  const timestampS = Math.floor(Date.now() / 1000);
  const signature = signWebhook({ secrets: [secret], timestampS, body });
  const send = async (Port: string, value?: string) => {
    const headers = value === undefined ? {} : { 'service-signature': value };
    const init = { method: 'POST', body, headers } as RequestInit;
    return (await fetch(`http://127.0.0.1:${Port}/`, init)).status;
  };
  const [first, second] = [String(await closedPort()), String(await closedPort())];
  const example = runExample('sdk-webhooks', { PORT: first, NAMEPLATE_WEBHOOK_SECRET: secret });
  await expect.poll(() => send(first, signature).catch(() => 0), { timeout: 10_000 }).toBe(204);
  expect(await send(first)).toBe(400);
  expect(await send(first, signature.replace('v1=', 'v1=0').slice(0, -1))).toBe(400);
  expect(example.printed()).toBe('domain.active careers.acme.com\nmalformed_header\nno_match\n');
  const unset = runExample('sdk-webhooks', { PORT: second });
  await expect.poll(() => send(second, signature).catch(() => 0), { timeout: 10_000 }).toBe(500);
  expect(unset.printed()).toContain('The signing secret is missing');
});
