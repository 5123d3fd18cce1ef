import type { ServiceCommand } from './command.ts';

/** An operator command: a one-line summary and its module, which is loaded only when the command runs. */
export interface ServiceCommandEntry {
  summary: string;
  load: () => Promise<ServiceCommand>;
}

/** Operator commands. The key is the words of the command joined with `:`. */
export const SERVICE_COMMANDS: Readonly<Record<string, ServiceCommandEntry>> = {
  ...commandsOf(() => import('./commands/accounts.ts'), {
    'service:accounts:get': ['accountsGet', 'Show an account'],
    'service:accounts:list': ['accountsList', 'List the accounts'],
    'service:accounts:resume': ['accountsResume', 'Resume a suspended account'],
    'service:accounts:suspend': ['accountsSuspend', 'Suspend an account; its domains keep serving'],
    'service:accounts:update': ['accountsUpdate', 'Change the plan, trial or card of an account'],
  }),
  ...commandsOf(() => import('./commands/audit-list.ts'), {
    'service:audit:list': ['auditList', 'List operator actions, newest first'],
  }),
  ...commandsOf(() => import('./commands/billing.ts'), {
    'service:billing:replay': ['billingReplay', 'Take in an event of the billing provider again'],
    'service:billing:sync': ['billingSync', 'Apply the state of an account at the billing provider'],
  }),
  ...commandsOf(() => import('./commands/certificates.ts'), {
    'service:certificates:list': ['certificatesList', 'List the certificates in use'],
    'service:certificates:reissue': ['certificatesReissue', 'Replace a certificate now'],
    'service:certificates:revoke': ['certificatesRevoke', 'Revoke a certificate and order a new one'],
    'service:certificates:show': ['certificatesShow', 'Show the certificate of a domain and its order'],
  }),
  ...commandsOf(() => import('./commands/create-account.ts'), {
    'service:accounts:create': ['accountsCreate', 'Create an account and print its keys once'],
    'service:apps:create': ['appsCreate', 'Add an app to an account and print its keys once'],
  }),
  ...commandsOf(() => import('./commands/domain-connect-templates.ts'), {
    'service:domain-connect:templates': [
      'domainConnectTemplatesCommand',
      'Generate Domain Connect templates and the records of their key',
    ],
  }),
  ...commandsOf(() => import('./commands/edge-keys.ts'), {
    'service:edge-keys:export': ['edgeKeysExport', 'Print the keys of the edges as a setting'],
    'service:edge-keys:rotate': ['edgeKeysRotate', 'Seal every value of the edges with the current key'],
  }),
  ...commandsOf(() => import('./commands/edges.ts'), {
    'service:edges:drain': ['edgesDrain', 'Take an edge machine out of service'],
    'service:edges:list': ['edgesList', 'List the edge machines and their states'],
    'service:edges:undrain': ['edgesUndrain', 'Put a drained edge machine back into service'],
  }),
  ...commandsOf(() => import('./commands/encryption-key-rotate.ts'), {
    'service:encryption-key:rotate': [
      'encryptionKeyRotate',
      'Re-encrypt every stored secret with the current key',
    ],
  }),
  ...commandsOf(() => import('./commands/holds.ts'), {
    'service:holds:create': ['holdsCreate', 'Hold a hostname for review'],
    'service:holds:list': ['holdsList', 'List the holds'],
    'service:holds:release': ['holdsRelease', 'Release a held hostname'],
  }),
  ...commandsOf(() => import('./commands/jobs.ts'), {
    'service:events:backlog': ['eventsBacklog', 'Show the backlog of event deliveries'],
    'service:jobs:list': ['jobsList', 'List scheduled, due and stuck jobs'],
    'service:jobs:retry': ['jobsRetry', 'Make a job due now'],
  }),
  ...commandsOf(() => import('./commands/keys.ts'), {
    'service:keys:create': ['keysCreate', 'Create a key for an account and print it once'],
    'service:keys:list': ['keysList', 'List the keys of an account'],
    'service:keys:revoke': ['keysRevoke', 'Revoke a key of an account'],
  }),
  ...commandsOf(() => import('./commands/members.ts'), {
    'service:members:add': ['membersAdd', 'Add a person to an account'],
    'service:members:list': ['membersList', 'List the people of an account'],
    'service:members:remove': ['membersRemove', 'Remove a person from an account'],
    'service:sign-in': ['signIn', 'Print a sign-in link for a member'],
  }),
  ...commandsOf(() => import('./commands/migrate.ts'), {
    'service:migrate': ['migrate', 'Migrate the database to this version'],
  }),
  ...commandsOf(() => import('./commands/relay-status.ts'), {
    'service:relay:status': ['relayStatus', 'Show the state of the relay and its bucket in NATS'],
  }),
  ...commandsOf(() => import('./commands/replica-inspect.ts'), {
    'service:replica:inspect': ['replicaInspect', 'Show what the edge of this machine serves for a hostname'],
  }),
  ...commandsOf(() => import('./commands/start.ts'), {
    'service:start': ['start', 'Start a node of the hosted service'],
  }),
  ...commandsOf(() => import('./commands/status.ts'), {
    'service:status': ['status', 'Show the state of the database, the backlog and the node'],
  }),
};

/** Help topics that group the commands. */
export const SERVICE_TOPICS: Readonly<Record<string, string>> = {
  service: 'The hosted service, for its operator',
  'service:accounts': 'Accounts of the hosted service',
  'service:apps': 'Apps of accounts',
  'service:audit': 'The audit log of operator actions',
  'service:billing': 'Plans and payments at the billing provider',
  'service:certificates': 'TLS certificates of live domains',
  'service:domain-connect': 'One-click DNS setup at the provider',
  'service:edge-keys': 'The keys of the values from which edges serve',
  'service:edges': 'The machines that serve visitors',
  'service:encryption-key': 'The key that encrypts stored secrets',
  'service:events': 'Event deliveries of all accounts',
  'service:holds': 'Hostnames held for review',
  'service:jobs': 'Scheduled work of the service',
  'service:keys': 'API keys of accounts',
  'service:members': 'People who use accounts in the dashboard',
  'service:relay': 'The relay, which brings changes to edges through NATS',
  'service:replica': 'The values from which an edge serves',
};

/** Returns the commands of one file. @param rows the name of each command's export, and its one-line summary. */
function commandsOf<Name extends string>(
  file: () => Promise<Record<NoInfer<Name>, ServiceCommand>>,
  rows: Record<string, readonly [exported: Name, summary: string]>,
): Record<string, ServiceCommandEntry> {
  return Object.fromEntries(
    Object.entries(rows).map(([id, [exported, summary]]) => [
      id,
      { summary, load: async () => (await file())[exported] },
    ]),
  );
}
