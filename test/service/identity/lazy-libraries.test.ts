import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The metadata of esbuild: the contents of each bundle and its imports. */
interface Bundles {
  outputs: Record<string, { inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }>;
}

test.each(['@simplewebauthn/server', 'openid-client'])(
  '%s is loaded by a node with the first sign-in that needs it, and never by the emulator',
  (library) => {
    const file = path.resolve(import.meta.dirname, '../../../node_modules/.cache/nameplate/meta.json');
    const { outputs }: Bundles = JSON.parse(readFileSync(file, 'utf8'));
    const having = Object.keys(outputs).filter((name) =>
      Object.keys(outputs[name]?.inputs ?? {}).some((input) => input.includes(`node_modules/${library}/`)),
    );
    expect(having).toHaveLength(1);
    const importing = Object.values(outputs).filter(({ imports }) =>
      imports.some(({ path: imported }) => having.includes(imported)),
    );
    const kinds = importing.flatMap(({ imports }) =>
      imports.filter(({ path: imported }) => having.includes(imported)).map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['dynamic-import']);
    const inputs = importing.flatMap((output) => Object.keys(output.inputs));
    expect(inputs).toContain('service/compose.ts');
    expect(inputs).not.toContain('emulator/compose.ts');
  },
);
