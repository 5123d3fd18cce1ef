/** A public generator of TypeScript clients, and a program that uses the generated client. */
interface Generator {
  /** A command that reads `openapi.json` and writes the client below the working directory. */
  command: [program: string, ...args: string[]];
  /** Further files that the generator needs, by name. */
  files?: Readonly<Record<string, string>>;
  /**
   * TypeScript that exports `find(url, key, metadata)`, which returns the hostnames in a list filtered by metadata. It must compile with
   * `strict`. The code is what a customer would write, with one deliberately wrong use.
   */
  usage: string;
}

export const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-fetch': {
    command: ['openapi-typescript', 'openapi.json', '-o', 'schema.ts'],
    usage: `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';
export const later: components['schemas']['Event']['type'] = 'domain.paused';
export async function find(baseUrl: string, key: string, metadata: Record<string, string>) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
  const { data } = await client.GET('/v1/domains', { params: { query: { metadata } } });
  // @ts-expect-error a filter is a string
  client.GET.bind(client, '/v1/domains', { params: { query: { metadata: { team: 1 } } } });
  return data?.data.map(({ hostname }) => hostname);
}`,
  },
  'hey-api': {
    command: [
      'openapi-ts',
      '-i',
      'openapi.json',
      '-o',
      'client',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
    ],
    usage: `
import { createClient } from './client/client/index.js';
import { type Event, listDomains } from './client/index.js';
export const later: Event['type'] = 'domain.paused';
export async function find(baseUrl: string, auth: string, metadata: Record<string, string>) {
  const client = createClient({ baseUrl, auth });
  const { data } = await listDomains({ client, query: { metadata } });
  // @ts-expect-error a filter is a string
  listDomains.bind(null, { client, query: { metadata: { team: 1 } } });
  return data?.data.map(({ hostname }) => hostname);
}`,
  },
  orval: {
    command: ['orval', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `export default {
  api: {
    input: './openapi.json',
    output: { target: './client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
};`,
    },
    usage: `
import { type Event, listDomains } from './client.js';
export const later: Event['type'] = 'domain.paused';
export async function find(_url: string, key: string, metadata: Record<string, string>) {
  const found = await listDomains({ metadata }, { headers: { Authorization: \`Bearer \${key}\` } });
  // @ts-expect-error a filter is a string
  listDomains.bind(null, { metadata: { team: 1 } });
  return found.status === 200 ? found.data.data.map(({ hostname }) => hostname) : null;
}`,
  },
  oazapfts: {
    command: ['oazapfts', 'openapi.json', 'client.ts'],
    usage: `
import { defaults, type Event, listDomains } from './client.js';
export const later: Event['type'] = 'domain.paused';
export async function find(baseUrl: string, key: string, metadata: Record<string, string>) {
  Object.assign(defaults, { baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
  const found = await listDomains({ metadata });
  // @ts-expect-error a filter is a string
  listDomains.bind(null, { metadata: { team: 1 } });
  return found.status === 200 ? found.data.data.map(({ hostname }) => hostname) : null;
}`,
  },
};
