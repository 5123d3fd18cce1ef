import type { CommandClass } from './base-command.ts';

/** A command: its one-line summary, and its file, loaded only when it runs. */
export interface CommandEntry {
  summary: string;
  load: () => Promise<CommandClass>;
}

/** Commands by their words joined with `:`. */
export type CommandMap = Record<string, CommandEntry>;

export const COMMANDS: CommandMap = {
  'apps:get': entry('Show the app of the key', async () => (await import('./commands/apps/get.ts')).AppsGet),
  'apps:rotate-secret': entry(
    'Make a new signing secret; the previous one stays valid for 24 hours',
    async () => (await import('./commands/apps/rotate-secret.ts')).AppsRotateSecret,
  ),
  'apps:update': entry('Change the app', async () => (await import('./commands/apps/update.ts')).AppsUpdate),
  'domains:add': entry(
    'Add a domain and print the records that it needs',
    async () => (await import('./commands/domains/add.ts')).DomainsAdd,
  ),
  'domains:get': entry('Show a domain', async () => (await import('./commands/domains/get.ts')).DomainsGet),
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
  'domains:update': entry(
    'Change a domain',
    async () => (await import('./commands/domains/update.ts')).DomainsUpdate,
  ),
  'domains:verify': entry(
    "Check a domain's DNS now; after a failed certificate, try again",
    async () => (await import('./commands/domains/verify.ts')).DomainsVerify,
  ),
  'domains:wait': entry(
    'Wait until domains are active',
    async () => (await import('./commands/domains/wait.ts')).DomainsWait,
  ),
  'emulator:clock': entry(
    "Show the emulator's clock, or change its mode",
    async () => (await import('./commands/emulator/clock.ts')).EmulatorClock,
  ),
  'emulator:clock:advance': entry(
    "Move the emulator's clock forward and do all that comes due",
    async () => (await import('./commands/emulator/clock-advance.ts')).EmulatorClockAdvance,
  ),
  'emulator:exec': entry(
    'Run a command with an emulator of its own',
    async () => (await import('./commands/emulator/exec.ts')).EmulatorExec,
  ),
  'emulator:hold': entry(
    'Hold a hostname for review',
    async () => (await import('./commands/emulator/hold.ts')).EmulatorHold,
  ),
  'emulator:release': entry(
    'Release a held hostname',
    async () => (await import('./commands/emulator/release.ts')).EmulatorRelease,
  ),
  'emulator:reset': entry(
    'Put the emulator back to a fresh account',
    async () => (await import('./commands/emulator/reset.ts')).EmulatorReset,
  ),
  'emulator:start': entry(
    'Start the emulator',
    async () => (await import('./commands/emulator/start.ts')).EmulatorStart,
  ),
  'emulator:status': entry(
    'Show the running emulator',
    async () => (await import('./commands/emulator/status.ts')).EmulatorStatus,
  ),
  'emulator:stop': entry(
    'Stop the running emulator',
    async () => (await import('./commands/emulator/stop.ts')).EmulatorStop,
  ),
  'emulator:trigger': entry(
    'Take a domain through one transition',
    async () => (await import('./commands/emulator/trigger.ts')).EmulatorTrigger,
  ),
  'events:get': entry(
    'Show an event with its deliveries',
    async () => (await import('./commands/events/get.ts')).EventsGet,
  ),
  'events:list': entry(
    'List events, newest first',
    async () => (await import('./commands/events/list.ts')).EventsList,
  ),
  'events:redeliver': entry(
    'Send events again now',
    async () => (await import('./commands/events/redeliver.ts')).EventsRedeliver,
  ),
  help: entry(
    'Explain a command, or a topic such as exit-codes',
    async () => (await import('./commands/help.ts')).HelpCommand,
  ),
  'keys:create': entry(
    'Create an API key and print it, once',
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
  login: entry('Store an API key', async () => (await import('./commands/login.ts')).Login),
  logout: entry('Remove a stored API key', async () => (await import('./commands/logout.ts')).Logout),
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
  whoami: entry(
    'Show the app, the mode and where the key came from',
    async () => (await import('./commands/whoami.ts')).Whoami,
  ),
};

/** What the first words of commands stand for, words joined with `:`. */
export type TopicMap = Readonly<Record<string, string>>;

export const TOPICS: TopicMap = {
  apps: 'The app of the API key',
  domains: 'Domains of your customers',
  emulator: 'A local service to develop and test against',
  'emulator:clock': "The emulator's clock",
  events: 'Events and their deliveries',
  keys: 'API keys',
  profiles: 'Stored keys, each with the address of its server',
};

function entry(summary: string, load: CommandEntry['load']): CommandEntry {
  return { summary, load };
}
