import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const ASKS_FOR_FETCH = '"function"!=typeof fetch';

/**
 * Stops Ink's layout engine from using Node's fetch to read its embedded WebAssembly, because loading fetch takes longer than loading the
 * rest of the screen. Without fetch, the engine decodes its base64 itself.
 */
export const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes(ASKS_FOR_FETCH))
        throw new Error(`${path} no longer checks for fetch: update lean-yoga.ts`);
      return { contents: code.replaceAll(ASKS_FOR_FETCH, 'true') };
    });
  },
};
