import { EMULATOR_COMMANDS } from './emulator-commands.ts';
import type { CommandClass } from './runtime/base-command.ts';

/** A command: its one-line summary, and the loader of its file, called only when the command runs or is explained. */
export interface CommandEntry {
  summary: string;
  load: () => Promise<CommandClass>;
}

/** Commands by id: the words of the command joined with `:`. */
export type CommandMap = Record<string, CommandEntry>;

export const COMMANDS: CommandMap = {
  api: entry(
    'Send a request to the API and print its response',
    async () => (await import('./commands/api.ts')).Api,
  ),
  'apps:get': entry(
    'Show the app of the API key',
    async () => (await import('./commands/apps/get.ts')).AppsGet,
  ),
  'apps:rotate-secret': entry(
    'Create a new signing secret; the previous one stays valid for 24 hours',
    async () => (await import('./commands/apps/rotate-secret.ts')).AppsRotateSecret,
  ),
  'apps:update': entry('Update the app', async () => (await import('./commands/apps/update.ts')).AppsUpdate),
  'certificates:history': entry(
    'List the certificates that a domain has had',
    async () => (await import('./commands/certificates/history.ts')).CertificatesHistory,
  ),
  'certificates:list': entry(
    'List domains with their certificates and when they expire',
    async () => (await import('./commands/certificates/list.ts')).CertificatesList,
  ),
  completion: entry(
    'Print a completion script for your shell',
    async () => (await import('./commands/completion.ts')).Completion,
  ),
  demo: entry(
    'Show Nameplate at work, in an emulator of its own',
    async () => (await import('./commands/demo.ts')).Demo,
  ),
  doctor: entry(
    'Check the settings, key, server and clock',
    async () => (await import('./commands/doctor.ts')).Doctor,
  ),
  'domains:add': entry(
    'Add a domain and print the DNS records it needs',
    async () => (await import('./commands/domains/add.ts')).DomainsAdd,
  ),
  'domains:compare': entry(
    'Compare the responses of the old host and the edge',
    async () => (await import('./commands/domains/compare.ts')).DomainsCompare,
  ),
  'domains:diagnose': entry(
    "Find what is wrong with a hostname's DNS and how to fix it",
    async () => (await import('./commands/domains/diagnose.ts')).DomainsDiagnose,
  ),
  'domains:get': entry('Show a domain', async () => (await import('./commands/domains/get.ts')).DomainsGet),
  'domains:import': entry(
    'Add every hostname of a CSV file, and resume after a stop',
    async () => (await import('./commands/domains/import.ts')).DomainsImport,
  ),
  'domains:list': entry(
    'List domains, newest first',
    async () => (await import('./commands/domains/list.ts')).DomainsList,
  ),
  'domains:open': entry(
    "Open a domain's connect page",
    async () => (await import('./commands/domains/open.ts')).DomainsOpen,
  ),
  'domains:remove': entry(
    'Delete a domain; routing stops within 5 seconds',
    async () => (await import('./commands/domains/remove.ts')).DomainsRemove,
  ),
  'domains:traffic': entry(
    'Show the traffic of a domain, or of all domains',
    async () => (await import('./commands/domains/traffic.ts')).DomainsTraffic,
  ),
  'domains:update': entry(
    'Update a domain',
    async () => (await import('./commands/domains/update.ts')).DomainsUpdate,
  ),
  'domains:verify': entry(
    "Check a domain's DNS now, or retry a failed certificate",
    async () => (await import('./commands/domains/verify.ts')).DomainsVerify,
  ),
  'domains:wait': entry(
    'Wait until domains are active',
    async () => (await import('./commands/domains/wait.ts')).DomainsWait,
  ),
  'domains:watch-switch': entry(
    'Watch name servers and resolvers while a hostname moves',
    async () => (await import('./commands/domains/watch-switch.ts')).DomainsWatchSwitch,
  ),
  ...EMULATOR_COMMANDS,
  'events:get': entry(
    'Show an event with its deliveries',
    async () => (await import('./commands/events/get.ts')).EventsGet,
  ),
  'events:list': entry(
    'List events, newest first',
    async () => (await import('./commands/events/list.ts')).EventsList,
  ),
  'events:redeliver': entry(
    'Redeliver events now',
    async () => (await import('./commands/events/redeliver.ts')).EventsRedeliver,
  ),
  'events:tail': entry(
    'Follow events and their deliveries as they happen',
    async () => (await import('./commands/events/tail.ts')).EventsTail,
  ),
  help: entry(
    'Explain a command, or a topic such as exit-codes',
    async () => (await import('./commands/help.ts')).HelpCommand,
  ),
  'keys:create': entry(
    'Create an API key and print it once',
    async () => (await import('./commands/keys/create.ts')).KeysCreate,
  ),
  'keys:list': entry(
    'List the active API keys',
    async () => (await import('./commands/keys/list.ts')).KeysList,
  ),
  'keys:revoke': entry(
    'Revoke an API key',
    async () => (await import('./commands/keys/revoke.ts')).KeysRevoke,
  ),
  listen: entry(
    'Forward events to an address on this machine',
    async () => (await import('./commands/listen.ts')).Listen,
  ),
  login: entry('Store an API key', async () => (await import('./commands/login.ts')).Login),
  logout: entry('Remove a stored API key', async () => (await import('./commands/logout.ts')).Logout),
  mcp: entry(
    'Serve the API as tools for a coding agent (MCP)',
    async () => (await import('./commands/mcp.ts')).Mcp,
  ),
  'profiles:list': entry(
    'List the stored profiles',
    async () => (await import('./commands/profiles/list.ts')).ProfilesList,
  ),
  'profiles:remove': entry(
    'Remove a profile and its key',
    async () => (await import('./commands/profiles/remove.ts')).ProfilesRemove,
  ),
  'profiles:use': entry(
    'Choose the profile that commands use',
    async () => (await import('./commands/profiles/use.ts')).ProfilesUse,
  ),
  'webhooks:sign': entry(
    'Sign a webhook body as Nameplate does',
    async () => (await import('./commands/webhooks/sign.ts')).WebhooksSign,
  ),
  'webhooks:verify': entry(
    'Verify a webhook and explain a bad signature',
    async () => (await import('./commands/webhooks/verify.ts')).WebhooksVerify,
  ),
  whoami: entry(
    'Show the app, the mode, and where the key came from',
    async () => (await import('./commands/whoami.ts')).Whoami,
  ),
};

/** Descriptions of command groups, by the group's words joined with `:`. */
export type TopicMap = Readonly<Record<string, string>>;

export const TOPICS: TopicMap = {
  apps: 'The app of the API key',
  certificates: 'The certificates of your domains',
  domains: "Your customers' domains",
  emulator: 'A local Nameplate to develop and test against',
  'emulator:clock': "The emulator's clock",
  events: 'Events and their webhook deliveries',
  keys: 'API keys',
  profiles: 'Stored API keys, each with the address of its server',
  webhooks: 'Sign and verify webhooks, without a server',
};

function entry(summary: string, load: CommandEntry['load']): CommandEntry {
  return { summary, load };
}
