import type { CommandClass } from './runtime/base-command.ts';

/**
 * A command: its one-line summary, and the function that loads its file. The CLI calls the function only to run the command or to print its
 * help.
 */
export interface CommandEntry {
  summary: string;
  load: () => Promise<CommandClass>;
}

/** All commands by id. An id is the words of the command joined with `:`, such as `domains:list`. */
export type CommandMap = Record<string, CommandEntry>;

export const COMMANDS: CommandMap = {
  ...commandsOf(() => import('./commands/api.ts'), {
    api: ['Api', 'Send a request to the API and print its response'],
  }),
  ...commandsOf(() => import('./commands/apps.ts'), {
    'apps:get': ['AppsGet', 'Show the app of the API key'],
    'apps:rotate-secret': [
      'AppsRotateSecret',
      'Create a new signing secret; the previous one stays valid for 24 hours',
    ],
  }),
  ...commandsOf(() => import('./commands/app-changes.ts'), {
    'apps:update': ['AppsUpdate', 'Update the app'],
    'keys:create': ['KeysCreate', 'Create an API key and print it once'],
  }),
  ...commandsOf(() => import('./commands/demo.ts'), {
    demo: ['Demo', 'Show Nameplate at work, in an emulator of its own'],
  }),
  ...commandsOf(() => import('./commands/doctor.ts'), {
    doctor: ['Doctor', 'Check the settings, key, server and clock'],
  }),
  ...commandsOf(() => import('./commands/domains/act.ts'), {
    'domains:remove': ['DomainsRemove', 'Delete a domain; routing stops within 5 seconds'],
    'domains:verify': ['DomainsVerify', "Check a domain's DNS now, or retry a failed certificate"],
    'domains:wait': ['DomainsWait', 'Wait until domains are active'],
  }),
  ...commandsOf(() => import('./commands/domains/add.ts'), {
    'domains:add': ['DomainsAdd', 'Add a domain and print the DNS records it needs'],
  }),
  ...commandsOf(() => import('./commands/domains/compare.ts'), {
    'domains:compare': ['DomainsCompare', 'Compare the responses of the old host and the edge'],
  }),
  ...commandsOf(() => import('./commands/domains/diagnose.ts'), {
    'domains:diagnose': ['DomainsDiagnose', "Find what is wrong with a hostname's DNS and how to fix it"],
  }),
  ...commandsOf(() => import('./commands/domains/import.ts'), {
    'domains:import': ['DomainsImport', 'Add every hostname of a CSV file, and resume after a stop'],
  }),
  ...commandsOf(() => import('./commands/domains/list.ts'), {
    'certificates:list': ['CertificatesList', 'List domains with their certificates and when they expire'],
    'domains:list': ['DomainsList', 'List domains, newest first'],
  }),
  ...commandsOf(() => import('./commands/domains/read.ts'), {
    'certificates:history': ['CertificatesHistory', 'List the certificates that a domain has had'],
    'domains:get': ['DomainsGet', 'Show a domain'],
    'domains:open': ['DomainsOpen', "Open a domain's connect page"],
    'domains:traffic': ['DomainsTraffic', 'Show the traffic of a domain, or of all domains'],
  }),
  ...commandsOf(() => import('./commands/domains/update.ts'), {
    'domains:update': ['DomainsUpdate', 'Update a domain'],
  }),
  ...commandsOf(() => import('./commands/domains/watch-switch.ts'), {
    'domains:watch-switch': ['DomainsWatchSwitch', 'Watch name servers and resolvers while a hostname moves'],
  }),
  ...commandsOf(() => import('./commands/emulator/clock.ts'), {
    'emulator:clock': ['EmulatorClock', "Show the emulator's clock, or change its mode"],
    'emulator:clock:advance': [
      'EmulatorClockAdvance',
      "Move the emulator's clock forward and do the work that comes due",
    ],
  }),
  ...commandsOf(() => import('./commands/emulator/exec.ts'), {
    'emulator:exec': ['EmulatorExec', 'Run a command with its own emulator'],
  }),
  ...commandsOf(() => import('./commands/emulator/expect.ts'), {
    'emulator:expect': ['EmulatorExpect', 'Wait for an event or a domain status, in a test'],
  }),
  ...commandsOf(() => import('./commands/emulator/running.ts'), {
    'emulator:list': ['EmulatorList', 'List the running emulators'],
    'emulator:open': ['EmulatorOpen', 'Open the dashboard in a browser'],
    'emulator:status': ['EmulatorStatus', 'Show the running emulator'],
    'emulator:stop': ['EmulatorStop', 'Stop the running emulator, or all of them'],
  }),
  ...commandsOf(() => import('./commands/emulator/seed.ts'), {
    'emulator:seed': ['EmulatorSeed', 'Apply a seed file to the running emulator'],
  }),
  ...commandsOf(() => import('./commands/emulator/simulate.ts'), {
    'emulator:chaos': ['EmulatorChaos', 'Make webhooks and the API fail on purpose'],
    'emulator:hold': ['EmulatorHold', 'Hold a hostname for review'],
    'emulator:release': ['EmulatorRelease', 'Release a held hostname'],
  }),
  ...commandsOf(() => import('./commands/emulator/start.ts'), {
    'emulator:start': ['EmulatorStart', 'Start the emulator'],
  }),
  ...commandsOf(() => import('./commands/emulator/state.ts'), {
    'emulator:export': ['EmulatorExport', "Export the emulator's state"],
    'emulator:import': ['EmulatorImport', 'Replace the state with an exported one'],
    'emulator:reset': ['EmulatorReset', 'Reset the emulator to a fresh account'],
  }),
  ...commandsOf(() => import('./commands/emulator/trigger.ts'), {
    'emulator:trigger': ['EmulatorTrigger', 'Take a domain through one transition'],
  }),
  ...commandsOf(() => import('./commands/emulator/trust.ts'), {
    'emulator:trust': ['EmulatorTrust', "Show how to trust the edge's HTTPS, and how to undo it"],
  }),
  ...commandsOf(() => import('./commands/events.ts'), {
    'events:get': ['EventsGet', 'Show an event with its deliveries'],
    'events:redeliver': ['EventsRedeliver', 'Redeliver events now'],
  }),
  ...commandsOf(() => import('./commands/events-list.ts'), {
    'events:list': ['EventsList', 'List events, newest first'],
  }),
  ...commandsOf(() => import('./commands/events-tail.ts'), {
    'events:tail': ['EventsTail', 'Follow events and their deliveries as they happen'],
  }),
  ...commandsOf(() => import('./commands/help.ts'), {
    completion: ['Completion', 'Print a completion script for your shell'],
    help: ['HelpCommand', 'Explain a command, or a topic such as exit-codes'],
  }),
  ...commandsOf(() => import('./commands/keys.ts'), {
    'keys:list': ['KeysList', 'List the active API keys'],
    'keys:revoke': ['KeysRevoke', 'Revoke an API key'],
  }),
  ...commandsOf(() => import('./commands/listen.ts'), {
    listen: ['Listen', 'Forward events to an address on this machine'],
  }),
  ...commandsOf(() => import('./commands/mcp.ts'), {
    mcp: ['Mcp', 'Serve the API as tools for a coding agent (MCP)'],
  }),
  ...commandsOf(() => import('./commands/profiles.ts'), {
    login: ['Login', 'Store an API key'],
    logout: ['Logout', 'Remove a stored API key'],
    'profiles:list': ['ProfilesList', 'List the stored profiles'],
    'profiles:remove': ['ProfilesRemove', 'Remove a profile and its key'],
    'profiles:use': ['ProfilesUse', 'Choose the profile that commands use'],
    whoami: ['Whoami', 'Show the app, the mode, and where the key came from'],
  }),
  ...commandsOf(() => import('./commands/webhooks.ts'), {
    'webhooks:sign': ['WebhooksSign', 'Sign a webhook body as Nameplate does'],
    'webhooks:verify': ['WebhooksVerify', 'Verify a webhook and explain a bad signature'],
  }),
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

/**
 * Returns the commands of one file. Commands share a file only if they need the same large modules, because running one command loads the
 * whole file.
 * @param rows the name of each command's class, and its one-line summary.
 */
function commandsOf<Name extends string>(
  file: () => Promise<Record<NoInfer<Name>, CommandClass>>,
  rows: Record<string, readonly [className: Name, summary: string]>,
): CommandMap {
  return Object.fromEntries(
    Object.entries(rows).map(([id, [className, summary]]) => [
      id,
      { summary, load: async () => (await file())[className] },
    ]),
  );
}
