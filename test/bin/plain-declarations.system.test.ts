import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plainType } from '../../bin/plain-declarations.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Every exported type that is derived from a zod schema, with its schema. */
const DERIVED = globSync(['shared/schema/*.ts', 'emulator/**/*-schema.ts'], { cwd: root }).flatMap((file) =>
  [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(
      /^export type (\w+) = z\.(infer|input)<typeof (\w+)>;$/gm,
    ),
  ].map(([, type = '', kind = '', schema = '']) => ({ file, type, kind, schema })),
);

test('each plain type of a schema equals the type that zod derives', async () => {
  expect(DERIVED.length).toBeGreaterThan(25);
  const lines = await Promise.all(
    DERIVED.map(async ({ file, type, kind, schema }, index) => {
      const exported = await import(path.join(root, file));
      const plain = plainType(exported[schema], kind === 'input' ? 'input' : 'output');
      return `import type { ${type} as Derived${index} } from '${path.join(root, file)}';
export const same${index}: Same<Derived${index}, ${plain}> = '${type}';`;
    }),
  );
  const program = `type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? string : 'other') : 'narrower';\n${lines.join('\n')}\n`;
  // A folder in the repository, so that the program finds the same packages.
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache/plain-types-'));
  try {
    writeFileSync(path.join(folder, 'program.ts'), program);
    const config = { extends: path.join(root, 'tsconfig.json'), include: ['program.ts'] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const run = promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', folder], { cwd: root });
    expect((await run.catch((error: { stdout: string }) => error)).stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
