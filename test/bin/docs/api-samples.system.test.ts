import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationFile } from '../../../bin/docs/operation-pages.ts';
import { EXAMPLE_IDS } from '../../../bin/docs/samples/operation-samples.ts';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { type ApiRoute, type OperationId, ROUTES } from '../../../shared/schema/routes.ts';
import { BIN, COMPILE_CACHE } from '../../cli/bin-process.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';

/** Runs the samples of every page of the API reference, in every language, with an emulator. */
const root = path.resolve(import.meta.dirname, '../../..');

interface Language {
  /** The name of the file in which a reader saves the sample. */
  file: string;
  command: (file: string) => string[];
  program?: { packages: string[]; programs: string[] };
}

const LANGUAGES: Record<string, Language> = {
  curl: {
    file: 'sample.sh',
    command: (file) => ['sh', file],
    program: { packages: ['curl'], programs: ['/usr/bin/curl'] },
  },
  CLI: { file: 'sample.sh', command: (file) => ['sh', file] },
  JavaScript: { file: 'sample.mjs', command: (file) => [process.execPath, file] },
  Python: {
    file: 'sample.py',
    command: (file) => ['python3', file],
    program: { packages: ['python3'], programs: ['/usr/bin/python3'] },
  },
  Ruby: {
    file: 'sample.rb',
    command: (file) => ['ruby', file],
    program: { packages: ['ruby'], programs: ['/usr/bin/ruby'] },
  },
  Go: {
    file: 'main.go',
    command: (file) => [path.join(file, '../../built', path.basename(path.dirname(file)))],
    program: { packages: ['golang-go'], programs: ['/usr/bin/go'] },
  },
  PHP: {
    file: 'sample.php',
    command: (file) => ['php', file],
    program: { packages: ['php-cli'], programs: ['/usr/bin/php'] },
  },
};

let emulator: Emulator;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  receiver = await startReceiver();
  emulator = await startEmulator({ webhook: receiver.url });
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-samples-'));
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(root, path.join(folder, 'node_modules/nameplate'));
});

afterAll(async () => {
  await emulator[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(LANGUAGES))(
  'the samples of the API reference work in the language %s',
  (label, language) => {
    const missing = language.program === undefined ? null : whyMissing(language.program);
    if (missing !== null && process.env['CI']) throw new Error(`${label}: ${missing}`);
    if (missing !== null) console.warn(`SKIPPED the samples in ${label}: ${missing}`);

    test.skipIf(missing !== null)('send a request to every operation of the API', async () => {
      await emulator.reset();
      const samples = await Promise.all(
        (Object.keys(ROUTES) as OperationId[]).map((id) => save(id, label, language)),
      );
      if (label === 'Go')
        await promisify(execFile)('go', ['build', '-o', 'built/', './...'], { cwd: samples[0]?.module });
      for (const { id, file } of samples) await run(id, language.command(file), label);
      console.log(`${label}: ${samples.length} samples sent`);
    });
  },
);

interface SavedSample {
  id: OperationId;
  file: string;
  module: string;
}

/** Saves a sample as a file, with the emulator's URL and with ids of existing resources. */
async function save(id: OperationId, label: string, language: Language): Promise<SavedSample> {
  const page = readFileSync(path.join(root, 'shared/docs', operationFile(id)), 'utf8');
  const [, sample = ''] = new RegExp(`^\`\`\`\\w+ tab="${label}"\\n(.*?)\n\`\`\`$`, 'ms').exec(page) ?? [];
  expect(sample, `${id} in ${label}`).not.toBe('');
  const route: ApiRoute = ROUTES[id];
  const text = sample
    .replaceAll('{base_url}', emulator.url)
    .replaceAll('npx nameplate', `'${process.execPath}' '${BIN}'`)
    .replaceAll(EXAMPLE_IDS[route.tag] || '(none)', await idFor(id, label, route));
  const module = path.join(folder, label);
  const file = path.join(module, id, language.file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (label === 'Go') writeFileSync(path.join(module, 'go.mod'), 'module samples\n');
  return { id, file, module };
}

/** Creates the resource that a sample uses, and returns its id. */
async function idFor(id: OperationId, label: string, { tag }: ApiRoute): Promise<string> {
  if (tag === 'Apps' || !ROUTES[id].path.includes('{id}')) return '';
  if (tag === 'Keys') return (await call('POST', '/v1/keys', { name: label, mode: 'test' })).id;
  const hostname = `${id.toLowerCase()}.${label.toLowerCase()}.example.com`;
  const domain = await call('POST', '/v1/domains', { hostname });
  if (tag === 'Domains') return domain.id;
  const events = await call('GET', `/v1/events?domain_id=${domain.id}`);
  return events.data.at(-1).id;
}

// biome-ignore lint/suspicious/noExplicitAny: the fields depend on the path
async function call(method: string, address: string, body: object | null = null): Promise<any> {
  const response = await fetch(emulator.url + address, {
    method,
    headers: { authorization: `Bearer ${emulator.keys.test}`, 'content-type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
  });
  expect(response.ok, `${method} ${address}`).toBe(true);
  return response.json();
}

/** Runs a sample. Ends the sample of a stream once it has printed an event. */
async function run(id: OperationId, [program = '', ...args]: string[], label: string): Promise<void> {
  // Restores the webhook URL, which the sample of `updateApp` has changed.
  if (id === 'redeliverEvent') await call('PATCH', '/v1/apps/current', { webhook_url: receiver.url });
  const key = id === 'rotateSigningSecret' ? emulator.keys.live : emulator.keys.test;
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      ...COMPILE_CACHE,
      HOME: folder,
      NAMEPLATE_BASE_URL: emulator.url,
      NAMEPLATE_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The sample gets its own process group, so that a stream ends together with its shell.
    detached: true,
  });
  let printed = '';
  let isEnding = false;
  const timer = id === 'streamEvents' ? setInterval(() => void addDomain(), 250) : null;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      printed += part;
      if (timer === null || isEnding || !printed.includes('domain.created')) return;
      isEnding = true;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
  }
  const [code] = await once(child, 'close');
  if (timer !== null) clearInterval(timer);
  const where = `${id} in ${label}: ${printed}`;
  if (timer !== null) return expect(printed, where).toContain('domain.created');
  // The emulator refuses `verifyDomain` for every domain, because it has no DNS to check.
  if (id === 'verifyDomain') return expect(printed, where).toMatch(/422|moves by a timer/);
  // Exit code 3 means that the diagnosis of a new domain is not conclusive yet.
  expect(id === 'diagnoseDomain' && label === 'CLI' ? [0, 3] : [0], where).toContain(code);
  // Only the body of an error contains `fix`, so this detects errors.
  expect(printed, where).not.toMatch(/"fix"|Warning|Error:/);
}

let added = 0;

async function addDomain(): Promise<void> {
  added++;
  await call('POST', '/v1/domains', { hostname: `streamed-${added}.example.com` });
}
