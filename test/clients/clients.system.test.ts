import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { installApart } from '../fixtures/install-apart.ts';
import { runTool } from '../fixtures/run-tool.ts';
import { GENERATORS } from './generators.ts';

const TSC = path.resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
/** Typical settings of a customer's project. The generated code also supports browsers, so it needs `dom`. */
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

/** Metadata that the client must encode correctly. */
const METADATA = { team: 'R&D + sales', 'cost centre': '7' };

const installed = installApart(import.meta.dirname);

describeUnlessMissing(
  'missing' in installed ? installed.missing : null,
  'generated clients work with the API',
  () => {
    let underTest: EmulatorUnderTest;
    let document: string;
    let folder: string;

    beforeAll(async () => {
      if ('missing' in installed) throw new Error(installed.missing);
      // The folder must not be below `node_modules`, because the compiler writes no output for files there.
      folder = mkdtempSync(path.join(tmpdir(), 'nameplate-clients-'));
      symlinkSync(path.join(installed.folder, 'node_modules'), path.join(folder, 'node_modules'));
      underTest = await emulatorUnderTest();
      for (const [hostname, metadata] of Object.entries({
        'both.acme.com': METADATA,
        'team.acme.com': { team: METADATA.team },
        'other.acme.com': { ...METADATA, team: 'sales' },
        'none.acme.com': null,
      })) {
        expect((await underTest.api('POST /domains', { hostname, metadata })).status).toBe(201);
      }
      document = await (await fetch(`${underTest.emulator.url}/v1/openapi.json`)).text();
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await underTest[Symbol.asyncDispose]();
    });

    test.each(Object.entries(GENERATORS))(
      'a client that %s generates from the OpenAPI document compiles strictly, and filters by metadata',
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
        const { url, keys } = underTest.emulator;
        const found = async (metadata: Record<string, string>) =>
          (await find(url, keys.test, metadata))?.toSorted();
        expect(await found(METADATA)).toEqual(['both.acme.com']);
        expect(await found({ team: METADATA.team })).toEqual(['both.acme.com', 'team.acme.com']);
        expect(await found({})).toHaveLength(4);
      },
    );
  },
);

interface Usage {
  find(url: string, key: string, metadata: Record<string, string>): Promise<string[] | null | undefined>;
}
