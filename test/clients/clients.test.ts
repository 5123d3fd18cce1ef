import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { runTool } from '../fixtures/run-tool.ts';
import { GENERATORS } from './generators.ts';
import { installGenerators } from './install-generators.ts';

const TSC = path.resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
/** As in a customer's project. The generators write for browsers as well, so they need `dom`. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['usage.ts'],
};

/** Their encoding is the client's to get right. */
const METADATA = { team: 'R&D + sales', 'cost centre': '7' };

const installed = installGenerators();

describeUnlessMissing('missing' in installed ? installed.missing : null, 'A client made by', () => {
  let under_test: EmulatorUnderTest;
  let document: string;
  let folder: string;

  beforeAll(async () => {
    if ('missing' in installed) throw new Error(installed.missing);
    // The compiler writes nothing for files below a folder named node_modules.
    folder = mkdtempSync(path.join(tmpdir(), 'nameplate-clients-'));
    symlinkSync(path.join(installed.folder, 'node_modules'), path.join(folder, 'node_modules'));
    under_test = await emulatorUnderTest();
    for (const [hostname, metadata] of Object.entries({
      'both.acme.com': METADATA,
      'team.acme.com': { team: METADATA.team },
      'other.acme.com': { ...METADATA, team: 'sales' },
      'none.acme.com': null,
    })) {
      expect((await under_test.api('POST /domains', { hostname, metadata })).status).toBe(201);
    }
    document = await (await fetch(`${under_test.emulator.url}/v1/openapi.json`)).text();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await under_test[Symbol.asyncDispose]();
  });

  test.each(Object.entries(GENERATORS))(
    '%s compiles strictly, and filters by metadata',
    { timeout: 120_000 },
    async (name, { command: [program, ...args], files = {}, usage }) => {
      const own = path.join(folder, name);
      mkdirSync(own);
      const contents = {
        'package.json': JSON.stringify({ type: 'module' }),
        'tsconfig.json': JSON.stringify(TSCONFIG),
        'openapi.json': document,
        'usage.ts': usage,
        ...files,
      };
      for (const [file, content] of Object.entries(contents)) writeFileSync(path.join(own, file), content);
      await runTool(path.join(folder, 'node_modules/.bin', program), args, own);
      await runTool(TSC, ['-p', '.'], own);
      const { find } = (await import(pathToFileURL(path.join(own, 'usage.js')).href)) as Usage;
      const { url, keys } = under_test.emulator;
      const found = async (metadata: Record<string, string>) =>
        (await find(url, keys.test, metadata))?.toSorted();
      expect(await found(METADATA)).toEqual(['both.acme.com']);
      expect(await found({ team: METADATA.team })).toEqual(['both.acme.com', 'team.acme.com']);
      expect(await found({})).toHaveLength(4);
    },
  );
});

interface Usage {
  find(url: string, key: string, metadata: Record<string, string>): Promise<string[] | null | undefined>;
}
