import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The metadata of esbuild: the contents of each bundle and its imports. */
interface Bundles {
  outputs: Record<string, { inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }>;
}

const file = path.resolve(import.meta.dirname, '../../../node_modules/.cache/nameplate/meta.json');
const { outputs }: Bundles = JSON.parse(readFileSync(file, 'utf8'));

/** Returns the bundles that contain a file whose path includes this text. */
function bundlesWith(text: string): string[] {
  return Object.keys(outputs).filter((name) =>
    Object.keys(outputs[name]?.inputs ?? {}).some((input) => input.includes(text)),
  );
}

test('a node loads openid-client only for the first sign-in that needs it', () => {
  const having = bundlesWith('node_modules/openid-client/');
  expect(having).toHaveLength(1);
  const importing = Object.values(outputs).filter(({ imports }) =>
    imports.some(({ path: imported }) => having.includes(imported)),
  );
  const kinds = importing.flatMap(({ imports }) =>
    imports.filter(({ path: imported }) => having.includes(imported)).map(({ kind }) => kind),
  );
  expect(kinds).toEqual(['dynamic-import']);
  expect(importing.flatMap(({ inputs }) => Object.keys(inputs))).toContain('service/compose.ts');
});

test.each(['@simplewebauthn/server', 'openid-client'])(
  'the emulator never loads the library %s',
  (library) => {
    const having = bundlesWith(`node_modules/${library}/`);
    expect(having).not.toEqual([]);
    const loaded = new Set(bundlesWith('emulator/compose.ts'));
    expect(loaded.size).toBe(1);
    for (const name of loaded) for (const { path: next } of outputs[name]?.imports ?? []) loaded.add(next);
    expect(having.filter((name) => loaded.has(name))).toEqual([]);
  },
);
