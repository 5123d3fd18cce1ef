import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const ASKS_FOR_FETCH = '"function"!=typeof fetch';

/**
 * Ink's layout engine keeps its WebAssembly in itself as base64 and reads that with Node's fetch, which takes longer to load
 * than the rest of the screen. It decodes it by itself where there is no fetch.
 */
export const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes(ASKS_FOR_FETCH))
        throw new Error(`${path} does not ask for fetch any more: look again`);
      return { contents: code.replaceAll(ASKS_FOR_FETCH, 'true') };
    });
  },
};
