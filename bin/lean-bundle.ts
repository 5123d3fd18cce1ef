import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Replaces import statements for Node's built-in modules with `process.getBuiltinModule`. An import of `node:http` reads all its exports,
 * and some of those load Node's fetch, which takes 25 ms. Each importer gets its own copy of the line and reads only the names that it
 * imports: a shared line would become a chunk, and reading each file costs time. CommonJS libraries in the bundle get the whole module,
 * because they have no `require` there.
 */
export const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir = '' } }) {
    const namespace = 'builtin';
    onResolve({ filter: /./ }, ({ path, importer, kind }) =>
      isBuiltin(path)
        ? {
            path,
            suffix: `?${relative(absWorkingDir, importer)}`,
            namespace,
            sideEffects: false,
            pluginData: kind === 'import-statement' ? importer : undefined,
          }
        : undefined,
    );
    onLoad({ filter: /./, namespace }, async ({ path, pluginData: importer }) => {
      const builtin = `process.getBuiltinModule(${JSON.stringify(path)})`;
      const names = importer === undefined ? null : namesImported(await readFile(importer, 'utf8'), path);
      if (names === null) return { contents: `module.exports = ${builtin};` };
      // An older Node lacks some modules. It then fails where one is used, after we have said which Node is needed.
      return {
        contents: `const all = ${builtin}; export default all; export const { ${names} } = all ?? {};`,
      };
    });
  },
};

/** Returns the names that a source imports from a module, separated by commas; null if it imports the module as one object. */
function namesImported(source: string, path: string): string | null {
  const clauses = [...source.matchAll(/^import\s+(?!type\s)([^'"]*?)\s*from\s*['"]([^'"]+)['"]/gm)]
    .filter(([, , from]) => from === path)
    .map(([, clause = '']) => clause);
  if (clauses.length === 0 || clauses.some((clause) => clause.includes('*'))) return null;
  return clauses
    .flatMap((clause) => /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [])
    .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((name) => name !== '' && !name.startsWith('type '))
    .join(', ');
}

/**
 * Loads only undici's dispatchers, which is all we use. Its index also loads fetch, caches and mocks, which takes 40 ms. The build fails if
 * code imports a name that is not in this list.
 */
export const undiciDispatchers: Plugin = {
  name: 'undici-dispatchers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: `
        export { default as Agent } from './lib/dispatcher/agent.js';
        export { default as Client } from './lib/dispatcher/client.js';
        export { default as Pool } from './lib/dispatcher/pool.js';
        export { default as buildConnector } from './lib/core/connect.js';
      `,
    }));
  },
};

/** Loads the Public Suffix List with the first hostname instead of at startup, because loading hashes the list, which takes 7 ms. */
export const suffixListByFirstUse: Plugin = {
  name: 'suffix-list-by-first-use',
  setup({ onResolve, onLoad }) {
    const namespace = 'by-first-use';
    onResolve({ filter: /^tldts$/ }, ({ path, namespace: importer, resolveDir }) =>
      importer === namespace ? undefined : { path, namespace, sideEffects: false, pluginData: resolveDir },
    );
    onLoad({ filter: /./, namespace }, ({ pluginData: resolveDir }) => ({
      contents: ['getDomain', 'parse']
        .map((name) => `export const ${name} = (...values) => require('tldts').${name}(...values);`)
        .join('\n'),
      resolveDir,
    }));
  },
};

/** Files of oclif for plugins, TypeScript sources, the user's shell, and errors that we print ourselves. */
const UNUSED_OCLIF =
  /[\\/]@oclif[\\/]core[\\/]lib[\\/](?:config[\\/](?:plugin|plugin-loader|ts-path)|errors[\\/]handle|module-loader|util[\\/]os)\.js$/;

/**
 * Leaves out the parts of oclif that no command calls, because all commands are in the bundle. With what they import, such as
 * `node:child_process` and a library for file patterns, they take 10 ms at each start.
 */
export const leanOclif: Plugin = {
  name: 'lean-oclif',
  setup({ onLoad }) {
    onLoad({ filter: UNUSED_OCLIF }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Leaves out the connection of Ink to React's developer tools, a package that is not installed. */
export const inkWithoutDevtools: Plugin = {
  name: 'ink-without-devtools',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: '' }));
  },
};
