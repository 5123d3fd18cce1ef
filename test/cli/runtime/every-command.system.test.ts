import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { createClient } from '../../../shared/client/client.ts';
import type { Driver } from '../../conformance/driver.ts';
import { startEmulatorDriver } from '../../conformance/emulator-driver.ts';
import { type Receiver, startReceiver } from '../../conformance/receiver.ts';
import { startServiceDriver } from '../../conformance/service-driver.ts';
import { type BinProcess, emptyHome, runBin, startBin } from '../bin-process.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';
import {
  fileOf,
  freshNames,
  HOST,
  OF_THE_EMULATOR,
  ON_A_SERVER,
  type Run,
  type Situation,
} from './command-lines.ts';

/** Runs every command as the built binary, once for text and once for JSON. */
const ESC = '\x1b';

/** Commands that run until they are stopped, that stop an emulator, or that need DNS, each with the file that tests it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  demo: '../emulator/demo.system.test.ts',
  'domains:watch-switch': '../diagnose/watch-switch.test.ts',
  'emulator:exec': '../emulator/emulator-exec.system.test.ts',
  'emulator:start': '../emulator/emulator-start.system.test.ts',
  'emulator:stop': '../emulator/emulator-start.system.test.ts',
  'events:tail': '../events/tail-terminal.system.test.ts',
  listen: '../output/matrix.system.test.ts',
  mcp: '../mcp/mcp.system.test.ts',
};

const ids = Object.keys(COMMANDS);

test('each command is tested in this file or in the file that the table names', () => {
  const run = [ON_A_SERVER, OF_THE_EMULATOR, ELSEWHERE].flatMap(Object.keys);
  expect(ids.filter((id) => !run.includes(id))).toEqual([]);
  for (const [id, file] of Object.entries(ELSEWHERE)) {
    const text = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    const words = id.split(':').map((word) => `'${word}'`);
    expect({ id, is_there: text.includes(words.join(', ')) }).toEqual({ id, is_there: true });
  }
});

describe.each([
  ['the emulator', startEmulatorDriver],
  ['the service on Postgres', startServiceDriver],
])('each command works with %s', (_, start) => {
  let driver: Driver;
  let receiver: Receiver;
  let situation: Situation;
  beforeAll(async () => {
    [driver, receiver] = await Promise.all([start(), startReceiver()]);
    const client = createClient({ baseUrl: driver.base_url, apiKey: driver.test_key });
    await client.apps.update({ webhook_url: receiver.url });
    await client.domains.create({ hostname: HOST });
    situation = { driver, client, fresh: freshNames(), file: fileOf };
  });
  afterAll(() => Promise.all([driver.close(), receiver[Symbol.asyncDispose]()]));

  const ownText = ids.filter((id) => id in ON_A_SERVER && !(id in ELSEWHERE));
  test.each(ownText)('prints text, or one document with --json: %s', async (id) => {
    const next = async () => ({ exits: [0], ...(await ON_A_SERVER[id]?.(situation)) });
    const env = () => ({ ...emptyHome(), ...keyFor(driver.base_url, driver.test_key) });
    expectText(await runOf(id, await next(), env()));
    expectDocument(await runOf(id, await next(), env(), ['--json']));
  });
});

describe('each emulator command works with a registered emulator', () => {
  const env = emptyHome();
  const folder = emptyFolder();
  let emulator: BinProcess;
  beforeAll(async () => {
    emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'frozen'], env);
    await emulator.untilStdout(/ready at/);
    for (const argv of [
      ['domains', 'add', HOST],
      ['emulator', 'export', 'state.json'],
    ])
      expect((await runBin(argv, env, folder)).exit).toBe(0);
  });
  afterAll(() => emulator[Symbol.asyncDispose]());

  test.each(Object.keys(OF_THE_EMULATOR).filter((id) => ids.includes(id)))(
    'prints text, or one document with --json: %s',
    async (id) => {
      const situation = { fresh: freshNames(), file: fileOf };
      const next = () => ({ exits: [0], ...OF_THE_EMULATOR[id]?.(situation) });
      expectText(await runOf(id, next(), env, [], folder));
      expectDocument(await runOf(id, next(), env, ['--json'], folder));
    },
  );
});

async function runOf(id: string, run: Run, env: Record<string, string>, more: string[] = [], cwd?: string) {
  const argv = [...id.split(':'), ...(run.args ?? []), ...more];
  const { exit, stdout, stderr } = await runBin(argv, { ...env, ...run.env }, cwd, run.stdin);
  expect(run.exits, `${argv.join(' ')}: ${exit}\n${stdout}${stderr}`).toContain(exit);
  return stdout;
}

function expectText(stdout: string): void {
  expect(stdout).toMatch(/\S/);
  expect(stdout).not.toContain(ESC);
}

function expectDocument(stdout: string): void {
  expect(JSON.parse(stdout)).toBeTypeOf('object');
}
