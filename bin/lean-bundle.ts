import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Replaces import statements for Node's built-in modules with `process.getBuiltinModule`. An import of `node:http` reads all its exports,
 * and some of those load Node's fetch, which takes 25 ms. CommonJS libraries in the bundle get built-in modules the same way, because they
 * have no `require` there. Each importer gets its own copy of the line: a shared one would become a chunk, and each file read costs a
 * fraction of a millisecond.
 */
export const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir = '' } }) {
    onResolve({ filter: /./ }, ({ path, importer }) =>
      isBuiltin(path)
        ? { path, suffix: `?${relative(absWorkingDir, importer)}`, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

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
      contents: `let find;\nexport const getDomain = (...values) => (find ??= require('tldts').getDomain)(...values);`,
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
