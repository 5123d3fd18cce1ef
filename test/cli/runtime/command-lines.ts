import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '../../../shared/client/client.ts';
import { signWebhook } from '../../../shared/core/webhooks/signature.ts';
import type { Driver } from '../../conformance/driver.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';
import { userConfig } from '../settings/config-folders.ts';

/** A command line to run with the built binary. The tests have a command line for every command that ends by itself. */
export interface Run {
  /** The arguments after the name of the command. */
  args?: string[];
  env?: Record<string, string>;
  stdin?: string;
  /** Allowed exit codes; by default only 0. */
  exits?: number[];
}

/** Data for the command lines. They run with a server that has the domain `HOST`, and an app with a webhook receiver. */
export interface Situation {
  driver: Driver;
  client: Client;
  /** Returns a hostname that no other command line has used. */
  fresh(): string;
  file(content: string): string;
}

export const HOST = 'careers.acme.com';

export const ON_A_SERVER: Readonly<Record<string, (situation: Situation) => Run | Promise<Run>>> = {
  api: () => ({ args: ['GET', '/v1/apps/current'] }),
  'apps:get': () => ({}),
  'apps:rotate-secret': ({ driver }) => ({ args: ['--yes'], env: liveKey(driver) }),
  'apps:update': ({ driver }) => ({ args: ['--name', 'New'], env: liveKey(driver) }),
  'certificates:history': () => ({ args: [HOST] }),
  'certificates:list': () => ({}),
  completion: () => ({ args: ['bash'] }),
  doctor: () => ({}),
  'domains:add': ({ fresh }) => ({ args: [fresh()] }),
  'domains:compare': () => ({
    args: [HOST, '/', '--old', '127.0.0.1:1', '--edge', '127.0.0.1:1'],
    exits: [9],
  }),
  'domains:diagnose': async ({ client, fresh }) => {
    const { hostname } = await client.domains.create({ hostname: fresh() });
    return { args: [hostname], exits: [3, 9] };
  },
  'domains:get': () => ({ args: [HOST] }),
  'domains:import': ({ file, fresh }) => ({ args: [file(`hostname\n${fresh()}\n`)] }),
  'domains:list': () => ({}),
  'domains:open': () => ({ args: [HOST] }),
  'domains:remove': async ({ client, fresh }) => {
    const { hostname } = await client.domains.create({ hostname: fresh() });
    return { args: [hostname, '--yes'] };
  },
  'domains:traffic': () => ({ args: [HOST] }),
  'domains:update': () => ({ args: [HOST, '--metadata', 'a=b'] }),
  'domains:verify': async ({ driver, fresh }) => {
    const live = createClient({ baseUrl: driver.base_url, apiKey: driver.live_key });
    return { args: [(await live.domains.create({ hostname: fresh() })).id], env: liveKey(driver) };
  },
  'domains:wait': () => ({ args: [HOST, '--for', 'pending_dns'] }),
  // This command fails, because a test domain has no DNS records to watch.
  'domains:watch-switch': () => ({ args: [HOST], exits: [2] }),
  'events:get': async ({ client }) => ({ args: [await eventId(client)] }),
  'events:list': () => ({}),
  'events:redeliver': async ({ client }) => ({ args: [await eventId(client)] }),
  help: () => ({ args: ['exit-codes'] }),
  'keys:create': () => ({ args: ['--name', 'ci', '--mode', 'test'] }),
  'keys:list': () => ({}),
  'keys:revoke': async ({ client }) => ({
    args: [(await client.keys.create({ name: 'gone', mode: 'test' })).id, '--yes'],
  }),
  login: ({ driver }) => ({ args: ['--with-key', '-'], stdin: driver.test_key }),
  logout: ({ driver }) => ({ env: profiles(driver) }),
  'profiles:list': ({ driver }) => ({ env: profiles(driver) }),
  'profiles:remove': ({ driver }) => ({ args: ['other', '--yes'], env: profiles(driver) }),
  'profiles:use': ({ driver }) => ({ args: ['other'], env: profiles(driver) }),
  'webhooks:sign': ({ driver, file }) => ({ args: ['--body', file('{}')], env: secretOf(driver) }),
  'webhooks:verify': async ({ driver, client, file }) => {
    const body = (await client.events.get(await eventId(client))).body ?? '';
    return { args: ['--body', file(body), '--signature', signed(body, driver)], env: secretOf(driver) };
  },
  whoami: () => ({}),
};

/** Command lines for a running emulator, in the order in which they must run. */
export const OF_THE_EMULATOR: Readonly<
  Record<string, (situation: Pick<Situation, 'fresh' | 'file'>) => Run>
> = {
  'emulator:status': () => ({}),
  'emulator:list': () => ({}),
  'emulator:open': () => ({}),
  'emulator:trust': () => ({}),
  'emulator:chaos': () => ({}),
  'emulator:clock': () => ({}),
  'emulator:clock:advance': () => ({ args: ['1s'] }),
  'emulator:expect': () => ({ args: [`domain.created host=${HOST}`] }),
  'emulator:hold': ({ fresh }) => ({ args: [fresh()] }),
  // Releases the hostname that the previous command line put on hold.
  'emulator:release': ({ fresh }) => ({ args: [fresh()] }),
  'emulator:trigger': () => ({ args: [HOST, 'dns_seen'], exits: [0, 1] }),
  'emulator:seed': ({ file }) => ({ args: [file('{"account": {"plan": "growth"}}')] }),
  'emulator:export': () => ({}),
  'emulator:import': () => ({ args: ['state.json', '--yes'] }),
  'emulator:reset': () => ({ args: ['--yes'] }),
};

export function freshNames(): () => string {
  let count = 0;
  return () => `fresh-${++count}.acme.com`;
}

export function fileOf(content: string): string {
  const file = path.join(emptyFolder(), 'file.json');
  writeFileSync(file, content);
  return file;
}

function liveKey(driver: Driver): Record<string, string> {
  return keyFor(driver.base_url, driver.live_key);
}

function secretOf({ webhook_secret }: Driver): Record<string, string> {
  return { NAMEPLATE_WEBHOOK_SECRET: webhook_secret };
}

function signed(body: string, { webhook_secret }: Driver): string {
  return signWebhook({ secrets: [webhook_secret], timestampS: Math.floor(Date.now() / 1000), body });
}

function profiles({ base_url, test_key }: Driver): Record<string, string> {
  const profile = { base_url, api_key: test_key };
  return { XDG_CONFIG_HOME: userConfig({ default: profile, other: profile }) };
}

async function eventId(client: Client): Promise<string> {
  const [event] = (await client.events.list({ limit: 1 })).data;
  if (event === undefined) throw new Error('there is no event');
  return event.id;
}
