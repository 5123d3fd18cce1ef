import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from '../fixtures/run-tool.ts';

const BIN = join(import.meta.dirname, '../../node_modules/.bin');

/** A response in the shape in which the generated client returns success responses and throws error responses. */
interface GeneratedAnswer {
  ok: boolean;
  status: number;
  headers: Headers;
  data: unknown;
  error: unknown;
}

/** The operations by id, as the public generator swagger-typescript-api generates them. */
type GeneratedOperations = Record<string, (...args: unknown[]) => Promise<GeneratedAnswer>>;

export interface GeneratedClient {
  operations: GeneratedOperations;
  /** Deletes the generated files. */
  close(): Promise<void>;
}

/**
 * Generates a TypeScript client from an OpenAPI document in a new folder, compiles it with `tsc --strict`, and returns its
 * operations for a server. Pass the `base_url` of any server of this API, including the emulator.
 * @param usage TypeScript that imports the client from './client.js'. It is compiled, but not run.
 * @throws Error with the output of the generator or the compiler.
 */
export async function makeClient(
  document: object,
  server: { base_url: string; api_key: string },
  usage = '',
): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-client-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    await writeFile(join(folder, 'usage.ts'), `export {};\n${usage}`);
    await runTool(join(BIN, 'swagger-typescript-api'), GENERATOR_ARGS, folder);
    await runTool(join(BIN, 'tsc'), [...COMPILER_FLAGS, 'client.ts', 'usage.ts'], folder);
    const { Api } = await import(pathToFileURL(join(folder, 'client.js')).href);
    const headers = { Authorization: `Bearer ${server.api_key}` };
    const api = new Api({ baseUrl: server.base_url, baseApiParams: { headers } });
    return { operations: api.v1, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const GENERATOR_ARGS = [
  ...['generate', '-p', 'openapi.json', '-o', '.'],
  ...['-n', 'client.ts', '--enum-style', 'union', '--silent'],
];

/** Typical settings of a customer's project. The generated code needs fetch and FormData, which `dom` declares. */
const COMPILER_FLAGS = [
  '--strict',
  '--ignoreConfig',
  ...['--target', 'es2024'],
  ...['--module', 'nodenext'],
  ...['--lib', 'es2024,dom,dom.iterable'],
  ...['--types', ''],
];
