import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { writePlainDeclarations } from './plain-declarations.ts';

/** The public modules of the package, and the folder of the TypeScript project that each module belongs to. */
const ENTRIES = [
  { name: 'client', source: 'shared/client/client.ts', program: '.' },
  { name: 'webhooks', source: 'shared/client/webhooks.ts', program: '.' },
  { name: 'emulator', source: 'emulator/start.ts', program: '.' },
  { name: 'connect', source: 'shared/embed/browser/connect.ts', program: 'shared/embed/browser' },
  {
    name: 'connect-react',
    source: 'shared/embed/browser/connect-react.tsx',
    program: 'shared/embed/browser',
  },
];

/** Packages whose types the declarations may import, because apps that use our types have them: Node, and React for the wrapper. */
const EXTERNAL = /^(?:node:|react$)/;

/**
 * Writes one declaration file for each public module to dist/types, with all types that it uses. An app therefore compiles without our
 * dependencies. The function does not check the types, because `npm run check` checks them.
 * @param cache a folder for the declarations of single files.
 */
export async function bundleTypes(root: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'declarations-'));
  const output = path.join(root, 'dist/types');
  try {
    const programs = Object.entries(Object.groupBy(ENTRIES, ({ program }) => program));
    await Promise.all(programs.map(([program, entries = []]) => declare(root, folder, program, entries)));
    await writePlainDeclarations(folder);
    await rm(output, { recursive: true, force: true });
    for (const { name, source } of ENTRIES) await bundle(root, folder, name, source, output);
    await Promise.all(ENTRIES.map(({ name }) => copyForCommonJs(path.join(output, name))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a declaration file for each source file. Runs `tsc`, because TypeScript 7 has no API yet. */
async function declare(
  root: string,
  folder: string,
  program: string,
  entries: readonly { source: string }[],
): Promise<void> {
  const config = path.join(folder, `tsconfig.${program.replaceAll(/\W/g, '-')}.json`);
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    rootDir: root,
    outDir: folder,
  };
  const files = entries.map(({ source }) => path.join(root, source));
  const base = path.join(root, program, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ extends: base, compilerOptions, files, include: [] }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', config], { cwd: root });
}

/** Copies a module's declarations for its CommonJS version, because TypeScript distinguishes the two versions by the suffix. */
async function copyForCommonJs(file: string): Promise<void> {
  const text = await readFile(`${file}.d.ts`, 'utf8');
  await writeFile(`${file}.d.cts`, text.replaceAll('./connect.js', './connect.cjs'));
}

async function bundle(
  root: string,
  folder: string,
  name: string,
  source: string,
  output: string,
): Promise<void> {
  const zod = path.join(root, 'node_modules/zod');
  const bundled = await rolldown({
    input: { [name]: path.join(folder, declarationOf(source)) },
    external: EXTERNAL,
    plugins: [
      {
        name: 'declarations',
        resolveId: {
          order: 'pre',
          handler(id, importer) {
            if (id === 'zod') return path.join(zod, 'index.d.ts');
            // The React wrapper imports the component's types from `./connect.js` instead of containing a copy.
            if (name === 'connect-react' && id === './connect.ts')
              return { id: './connect.js', external: true };
            if (importer === undefined || !id.startsWith('.')) return null;
            const file = path.resolve(path.dirname(importer), id);
            // Leave out zod's translations, because our types do not use them.
            if (file.startsWith(path.join(zod, 'v4/locales'))) return NOTHING;
            return importer.startsWith(folder) ? declarationOf(file) : null;
          },
        },
        load: (id) => (id === NOTHING ? 'export {};' : null),
      },
      dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: 'oxc' }),
    ],
    onLog(_level, log) {
      throw new Error(`The types of ${name} cannot be bundled: ${log.message}`);
    },
  });
  await bundled.write({ dir: output });
}

const NOTHING = 'nothing.d.ts';

function declarationOf(file: string): string {
  return file.replace(/\.tsx?$/, '.d.ts');
}
