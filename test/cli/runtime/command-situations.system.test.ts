import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { textWidth } from '../../../cli/output/table.ts';
import { createClient } from '../../../shared/client/client.ts';
import type { Driver } from '../../conformance/driver.ts';
import { startEmulatorDriver } from '../../conformance/emulator-driver.ts';
import { startReceiver } from '../../conformance/receiver.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { startTunnelProxy } from '../commands/tunnel-proxy.ts';
import { runOnTerminal } from '../pty-process.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';
import { atOnce } from '../settings/at-once.ts';
import {
  fileOf,
  freshNames,
  HOST,
  OF_THE_EMULATOR,
  ON_A_SERVER,
  type Run,
  type Situation,
} from './command-lines.ts';

// These tests start many processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/**
 * Runs every command of the built binary in five situations: server down, server slow, server behind a proxy, revoked key, narrow terminal.
 */
const AT_ONCE = 4;

/** Commands that send no request to a server. */
const ALONE = [
  ...ids(ON_A_SERVER).filter((id) => /^(completion|help|logout|profiles|webhooks)(:|$)/.test(id)),
  'emulator:list',
];
const ASKING = ids(ON_A_SERVER).filter((id) => !ALONE.includes(id));
const FOLLOWING: Readonly<Record<string, Run>> = {
  'events:tail': { exits: [130] },
  listen: { args: ['--forward-to', '1'], exits: [130] },
};
/** Commands that call the emulator's control API, which needs no key. */
const CONTROLLING = ids(OF_THE_EMULATOR).filter((id) => !ALONE.includes(id));
/**
 * Commands that start or end a server. See `emulator-start.system.test.ts`, `emulator-exec.system.test.ts`,
 * `demo.system.test.ts` and `mcp.system.test.ts`.
 */
const STARTING = ['demo', 'emulator:exec', 'emulator:start', 'emulator:stop', 'mcp'];

test('the tables of this test list every command in exactly one situation', () => {
  const placed = [ALONE, ASKING, ids(FOLLOWING), CONTROLLING, STARTING].flat();
  expect(placed.toSorted()).toEqual(ids(COMMANDS).toSorted());
});

/** A command line, and the exit codes that it may have when nothing is wrong. */
interface Line {
  id: string;
  argv: string[];
  env: Record<string, string>;
  stdin?: string;
  cwd: string;
  exits: number[];
}

let stack: AsyncDisposableStack;
let situation: Situation;
/** A second emulator for the commands that change an emulator's clock and state. The other commands use the first one. */
let controlled: Driver;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const receiver = stack.use(await startReceiver());
  const [driver, other] = await Promise.all([startEmulatorDriver(), startEmulatorDriver()]);
  stack.defer(() => Promise.all([driver.close(), other.close()]).then(() => undefined));
  const client = createClient({ baseUrl: driver.base_url, apiKey: driver.test_key });
  await client.apps.update({ webhook_url: receiver.url });
  await client.domains.create({ hostname: HOST });
  controlled = other;
  situation = { driver, client, fresh: freshNames(), file: fileOf };
});
afterAll(() => stack[Symbol.asyncDispose]());

async function lineOf(id: string): Promise<Line> {
  const run = (await ON_A_SERVER[id]?.(situation)) ?? FOLLOWING[id] ?? {};
  const { args = [], env = {}, stdin, exits = [0] } = run;
  return {
    id,
    argv: [...id.split(':'), ...args],
    env: { ...emptyHome(), ...keyFor(situation.driver.base_url, situation.driver.test_key), ...env },
    ...(stdin !== undefined && { stdin }),
    cwd: emptyFolder(),
    exits,
  };
}

/** Returns the command lines in a fixed order, because some of them need what an earlier command created. */
async function controllingLines(cwd = emptyFolder()): Promise<Line[]> {
  const env = { ...emptyHome(), NAMEPLATE_BASE_URL: controlled.base_url };
  await controlled.reset();
  await createClient({ baseUrl: controlled.base_url, apiKey: controlled.test_key }).domains.create({
    hostname: HOST,
  });
  const state = await runBin(['emulator', 'export', 'state.json'], env, cwd);
  expect(state.exit).toBe(0);
  return CONTROLLING.map((id) => {
    // `freshNames` starts over in each run, because the hostnames of earlier runs have been released.
    const { args = [], exits = [0] } = OF_THE_EMULATOR[id]?.({ fresh: freshNames(), file: fileOf }) ?? {};
    return { id, argv: [...id.split(':'), ...args], env, cwd, exits };
  });
}

/** Runs a command line with `--json`. Returns the exit code, and the outcome in the single document that the command prints. */
async function documentOf({ id, argv, cwd, stdin }: Line, env: Record<string, string>) {
  const { exit, stdout } = await runBin([...argv, '--json'], env, cwd, stdin);
  const { error, data } = JSON.parse(stdout);
  const found = error ?? data?.find(({ result }: { result: string }) => result === 'problem');
  return { id, exit, said: found?.exit, code: id === 'doctor' ? null : error?.code };
}

test('commands that need the server exit with 8 if it is down; other commands still work', async () => {
  const dead = keyFor('http://127.0.0.1:1');
  const lines = [
    ...(await Promise.all([...ASKING, ...ids(FOLLOWING)].map(lineOf))),
    ...(await controllingLines()),
  ];
  const found = await atOnce(AT_ONCE, lines, async (line) => {
    const env = { ...line.env, ...dead };
    const { exit, stdout, stderr } = await runBin(line.argv, env, line.cwd, line.stdin);
    const text = { exit, says: (stdout + stderr).includes('Cannot reach http://127.0.0.1:1 (ECONN') };
    return { text, ...(await documentOf(line, env)) };
  });
  expect(found).toEqual(
    lines.map(({ id }) => ({
      text: { exit: 8, says: true },
      ...{ id, exit: 8, said: 8, code: id === 'doctor' ? null : 'network_error' },
    })),
  );
  const alone = await atOnce(
    AT_ONCE,
    await Promise.all(ALONE.map(lineOf)),
    async ({ id, argv, env, cwd, stdin }) => {
      const { exit } = await runBin(
        argv,
        { ...env, NAMEPLATE_BASE_URL: dead.NAMEPLATE_BASE_URL ?? '' },
        cwd,
        stdin,
      );
      return { id, exit };
    },
  );
  expect(alone).toEqual(ALONE.map((id) => ({ id, exit: 0 })));
});

test('commands that send a key exit with 4 if the key is revoked', async () => {
  const { id: keyId, key } = await situation.client.keys.create({ name: 'gone', mode: 'test' });
  await situation.client.keys.revoke(keyId);
  const revoked = keyFor(situation.driver.base_url, key);
  const lines = await Promise.all([...ASKING, ...ids(FOLLOWING)].map(lineOf));
  const found = await atOnce(AT_ONCE, lines, async (line) => {
    const asked = { ...line, ...(line.stdin !== undefined && { stdin: key }) };
    const env = { ...line.env, ...revoked };
    const { exit, stdout, stderr } = await runBin(line.argv, env, line.cwd, asked.stdin);
    const showsIt = (stdout + stderr).includes(key.slice(8));
    return { text: { exit, shows_it: showsIt }, ...(await documentOf(asked, env)) };
  });
  expect(found).toEqual(
    lines.map(({ id }) => ({
      text: { exit: 4, shows_it: false },
      ...{ id, exit: 4, said: 4, code: id === 'doctor' ? null : 'unauthorized' },
    })),
  );
});

/** The factor by which time passes faster for code that waits for a deadline. */
const FASTER = 1000;
const HURRY = `--import=data:text/javascript,${encodeURIComponent(`
  const { setTimeout } = globalThis, { timeout } = AbortSignal;
  globalThis.setTimeout = (act, waitMs, ...rest) => setTimeout(act, waitMs / ${FASTER}, ...rest);
  AbortSignal.timeout = (waitMs) => timeout(Math.ceil(waitMs / ${FASTER}));
`)}`;

test('a command gives up on a server that never responds: it exits with 8 and reports the timeout', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  const slow = { ...keyFor(url), NODE_OPTIONS: HURRY };
  const lines = [
    ...(await Promise.all([...ASKING, ...ids(FOLLOWING)].map(lineOf))),
    ...(await controllingLines()),
  ];
  const found = await atOnce(AT_ONCE, lines, async (line) => {
    const env = { ...line.env, ...slow };
    const { exit, stdout, stderr } = await runBin(line.argv, env, line.cwd, line.stdin);
    const says = (stdout + stderr).includes(`${url} did not respond in time.`);
    return { text: { exit, says }, ...(await documentOf(line, env)) };
  });
  silent.closeAllConnections();
  silent.close();
  expect(found).toEqual(
    lines.map(({ id }) => ({
      text: { exit: 8, says: true },
      ...{ id, exit: 8, said: 8, code: id === 'doctor' ? null : 'network_error' },
    })),
  );
});

test('a command sends every request through the proxy of HTTPS_PROXY, in a tunnel', async () => {
  using ca = createThrowawayCa();
  const file = path.join(emptyFolder(), 'ca.pem');
  writeFileSync(file, ca.certificate);
  const { driver } = situation;
  const tls = ca.issue('DNS:*.example.test');
  const lines = await Promise.all([...ASKING, ...ids(FOLLOWING)].map(lineOf));
  await using proxy = await startTunnelProxy(driver.base_url, tls);
  const hostOf = (id: string) => `${id.replace(':', '-')}.example.test`;
  const through = (id: string) => ({
    NAMEPLATE_BASE_URL: `https://${hostOf(id)}`,
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: file,
  });
  const tunnelled = (id: string) => proxy.tunnels.includes(`${hostOf(id)}:443`);
  const asked = (id: string) => proxy.requests.some((line) => line.includes(` ${hostOf(id)}/v1/`));
  const found = await atOnce(AT_ONCE, lines, async ({ id, argv, env, cwd, stdin, exits }) => {
    await using bin = startBin(argv, { ...env, ...through(id) }, cwd, stdin);
    if (id in FOLLOWING) {
      // A command that follows events does not end by itself, so the test interrupts the command after its first request.
      await expect.poll(() => asked(id)).toBe(true);
      bin.child.kill('SIGINT');
    }
    const exit = await bin.ended;
    return {
      id,
      ends: exits.includes(Number(exit)) || `${exit}: ${bin.stderr()}`,
      tunnelled: tunnelled(id),
      asked: asked(id),
    };
  });
  expect(found).toEqual(lines.map(({ id }) => ({ id, ends: true, tunnelled: true, asked: true })));
});

const ESC = '\x1b';

/** Matches lines with text that people copy, which may be of any length: addresses, files, keys, headers, commands, fields of JSON. */
const COPIED =
  /https?:\/\/|\/\S+\/\S+|(sk_(test|live)|whsec)_|^Service-Signature: |nameplate |^ +(un)?trust |^ {11}|-emulator-ca\.pem|^ +"\w+": /;

test.each([60, 200])(
  'no command prints a line wider than %i columns, or colour with NO_COLOR',
  async (columns) => {
    const lines = await Promise.all([...ALONE, ...ASKING].map(lineOf));
    const program = path.join(emptyFolder(), 'xdg-open');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    const PATH = `${path.dirname(program)}:${process.env.PATH}`;
    const show = async ({ id, argv, env, cwd, stdin, exits }: Line) => {
      const options = { columns, env: { ...env, PATH, NO_COLOR: '1' }, cwd, stdin };
      const { exit, screen } = await runOnTerminal(argv, options);
      const wide = stripVTControlCharacters(screen)
        .split('\n')
        .filter((line) => textWidth(line) > columns && !COPIED.test(line));
      return { id, ends: exits.includes(Number(exit)) || screen, wide, coloured: screen.includes(ESC) };
    };
    const [found, controlling] = await Promise.all([
      atOnce(AT_ONCE, lines, show),
      atOnce(1, await controllingLines(), show),
    ]);
    expect([...found, ...controlling]).toEqual(
      [...ALONE, ...ASKING, ...CONTROLLING].map((id) => ({ id, ends: true, wide: [], coloured: false })),
    );
  },
);

function ids(table: object): string[] {
  return Object.keys(table);
}
