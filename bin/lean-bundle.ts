import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Replaces import statements for Node's built-in modules with `process.getBuiltinModule`. An import of `node:http` reads all its exports,
 * and some of those load Node's fetch, which takes 25 ms. Each importing file gets its own replacement, which reads only the names that the
 * file imports. A shared replacement would become a chunk, and each file takes time to load. A CommonJS library in the bundle gets the
 * whole module, because a bundled library has no `require`.
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
      // An old version of Node lacks some modules. With `?? {}`, the program fails only when it uses such a module, after it has printed
      // which version of Node it needs.
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
 * Loads only the dispatchers of undici and their method `request`, because we use nothing else. undici's index also loads `fetch`, caches
 * and mocks, which takes 40 ms. The build fails if code imports a name that is not in this list.
 */
export const undiciDispatchers: Plugin = {
  name: 'undici-dispatchers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: `
        import Dispatcher from './lib/dispatcher/dispatcher.js';
        import request from './lib/api/api-request.js';
        Object.assign(Dispatcher.prototype, { request });
        export { default as Agent } from './lib/dispatcher/agent.js';
        export { default as Client } from './lib/dispatcher/client.js';
        export { default as Pool } from './lib/dispatcher/pool.js';
        export { default as buildConnector } from './lib/core/connect.js';
      `,
    }));
  },
};

/** Loads the Public Suffix List when the first hostname is parsed instead of at startup, because building its hash tables takes 7 ms. */
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

/** The unused files of oclif: for plugins, TypeScript sources, the user's shell, and errors, which we print ourselves. */
const UNUSED_OCLIF =
  /[\\/]@oclif[\\/]core[\\/]lib[\\/](?:config[\\/](?:plugin|plugin-loader|ts-path)|errors[\\/]handle|module-loader|util[\\/]os)\.js$/;

/**
 * Leaves out the parts of oclif that no command calls, because all commands are in the bundle. With their own imports, such as
 * `node:child_process` and a library for file patterns, these parts add 10 ms to each start.
 */
export const leanOclif: Plugin = {
  name: 'lean-oclif',
  setup({ onLoad }) {
    onLoad({ filter: UNUSED_OCLIF }, () => ({ contents: 'module.exports = {};' }));
    // The flags need the help only when a user asks for it.
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]flags\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return {
        contents: source.replace(
          'help_1 = require("./help")',
          'help_1 = { loadHelpClass: (config) => require("./help").loadHelpClass(config) }',
        ),
      };
    });
  },
};

/** Leaves out Ink's connection to React's developer tools, because that package is not installed. */
export const inkWithoutDevtools: Plugin = {
  name: 'ink-without-devtools',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: '' }));
  },
};
