import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readSeedFile } from '../../../emulator/seed/read-seed.ts';
import { readJsonFile } from '../../../service/settings/json-file.ts';
import { startFakeApi } from '../fake-api.ts';
import { appOf, domainOf } from '../resources.ts';
import { emptyFolder, keyFor, runCli } from '../run-cli.ts';

/** The name Müller in encodings other than UTF-8, and a pattern for the error message of each. */
const WRONG: readonly [encoding: string, encode: (text: string) => Buffer, message: RegExp][] = [
  ['Latin-1', (text) => Buffer.from(text, 'latin1'), /is not UTF-8 on line 2: save it as UTF-8/],
  ['UTF-16 with a mark', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), /is UTF-16/],
  ['UTF-16', (text) => Buffer.from(text, 'utf16le'), /is UTF-16/],
];

/** Commands that read a text file, each with a file that the command accepts in UTF-8. */
const COMMANDS: readonly [file: string, text: string, argv: string[]][] = [
  ['hosts.csv', 'hostname,metadata.owner\nm.acme.com,Müller\n', ['domains', 'import', 'hosts.csv']],
  [
    'body.json',
    '{"hostname":"m.acme.com",\n"metadata":{"owner":"Müller"}}',
    ['api', 'POST', '/v1/domains', '--input', 'body.json'],
  ],
  ['state.json', '{"format":1,\n"name":"Müller"}', ['emulator', 'import', 'state.json', '--yes']],
];

describe.each(WRONG)('a file that is encoded in %s is refused', (_encoding, encode, message) => {
  test.each(COMMANDS)('the file %s is refused before the CLI sends a request', async (file, text, argv) => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, file), encode(text));
    await using api = await startFakeApi({
      'GET /v1/apps/current': { body: appOf() },
      'POST /v1/domains': { status: 201, body: domainOf() },
    });
    const { exit, stderr } = await runCli(argv, { cwd, env: keyFor(api.url) });
    expect(stderr).toMatch(message);
    expect([exit, api.requests]).toEqual([2, []]);
  });

  test("a seed file and a file of an operator's settings are refused", () => {
    const file = path.join(emptyFolder(), 'seed.yaml');
    writeFileSync(file, encode('app:\n  name: Müller\n'));
    expect(() => readSeedFile(file)).toThrow(message);
    writeFileSync(file, encode('{\n"name":"Müller"}'));
    expect(readJsonFile(file, z.unknown())).toMatchObject({ problem: expect.stringMatching(message) });
  });

  test('a config file is refused', async () => {
    const cwd = emptyFolder();
    mkdirSync(path.join(cwd, '.nameplate'));
    writeFileSync(path.join(cwd, '.nameplate/config.toml'), encode('# owner:\n# Müller\n'));
    const { exit, stderr } = await runCli(['whoami'], { cwd });
    expect(stderr).toMatch(message);
    expect(exit).not.toBe(0);
  });
});

test('the CLI accepts a file in UTF-8 with or without a byte order mark', async () => {
  for (const mark of ['', '\uFEFF']) {
    const cwd = emptyFolder();
    for (const [file, text] of COMMANDS) writeFileSync(path.join(cwd, file), mark + text);
    await using api = await startFakeApi({
      'GET /v1/apps/current': { body: appOf() },
      'POST /v1/domains': { status: 201, body: domainOf() },
    });
    for (const [, , argv] of COMMANDS.slice(0, 2)) await runCli(argv, { cwd, env: keyFor(api.url) });
    const sent = api.requests.flatMap(({ body }) => (body === null ? [] : [body]));
    expect(sent).toEqual(Array(2).fill({ hostname: 'm.acme.com', metadata: { owner: 'Müller' } }));
  }
});
