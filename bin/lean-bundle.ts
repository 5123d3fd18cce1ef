import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Node's own modules without import statements: one of `node:http` reads every export of it, some of which load Node's
 * fetch, in 25 ms. It also is how the CommonJS libraries in a bundle get them, which have no `require` there. Each importer
 * has a line of its own: one that is shared would be a chunk, and every file that is read takes a part of a millisecond.
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
 * Of undici what we use, the dispatchers: its index loads a fetch, caches and mocks beside them, in 40 ms. The build fails
 * for a name that is not in this list.
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

/** The Public Suffix List is hashed when it is loaded, in 7 ms: with the first hostname, and not with the bundle. */
export const suffixListByFirstUse: Plugin = {
  name: 'suffix-list-by-first-use',
  setup({ onResolve, onLoad }) {
    const namespace = 'by-first-use';
    onResolve({ filter: /^tldts$/ }, ({ path, namespace: importer, resolveDir }) =>
      importer === namespace ? undefined : { path, namespace, sideEffects: false, pluginData: resolveDir },
    );
    onLoad({ filter: /./, namespace }, ({ pluginData: resolveDir }) => ({
      contents: `export const getDomain = (...values) => require('tldts').getDomain(...values);`,
      resolveDir,
    }));
  },
};
