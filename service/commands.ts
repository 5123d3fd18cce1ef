import type { ServiceCommand } from './command.ts';

/** An operator command: a one-line summary and its module, which is loaded only when the command runs. */
export interface ServiceCommandEntry {
  summary: string;
  load: () => Promise<ServiceCommand>;
}

/** Operator commands. The key is the words of the command joined with `:`. */
export const SERVICE_COMMANDS: Readonly<Record<string, ServiceCommandEntry>> = {
  'service:accounts:create': entry(
    'Create an account and print its keys once',
    async () => (await import('./commands/create-account.ts')).accountsCreate,
  ),
  'service:accounts:get': entry(
    'Show an account',
    async () => (await import('./commands/accounts.ts')).accountsGet,
  ),
  'service:accounts:list': entry(
    'List the accounts',
    async () => (await import('./commands/accounts.ts')).accountsList,
  ),
  'service:accounts:resume': entry(
    'Resume a suspended account',
    async () => (await import('./commands/accounts.ts')).accountsResume,
  ),
  'service:accounts:suspend': entry(
    'Suspend an account; its domains keep serving',
    async () => (await import('./commands/accounts.ts')).accountsSuspend,
  ),
  'service:accounts:update': entry(
    'Change the plan, trial or card of an account',
    async () => (await import('./commands/accounts.ts')).accountsUpdate,
  ),
  'service:apps:create': entry(
    'Add an app to an account and print its keys once',
    async () => (await import('./commands/create-account.ts')).appsCreate,
  ),
  'service:audit:list': entry(
    'List operator actions, newest first',
    async () => (await import('./commands/audit-list.ts')).auditList,
  ),
  'service:billing:replay': entry(
    'Take in an event of the billing provider again',
    async () => (await import('./commands/billing.ts')).billingReplay,
  ),
  'service:billing:sync': entry(
    'Apply the state of an account at the billing provider',
    async () => (await import('./commands/billing.ts')).billingSync,
  ),
  'service:certificates:list': entry(
    'List the certificates in use',
    async () => (await import('./commands/certificates.ts')).certificatesList,
  ),
  'service:certificates:reissue': entry(
    'Replace a certificate now',
    async () => (await import('./commands/certificates.ts')).certificatesReissue,
  ),
  'service:certificates:revoke': entry(
    'Revoke a certificate and order a new one',
    async () => (await import('./commands/certificates.ts')).certificatesRevoke,
  ),
  'service:certificates:show': entry(
    'Show the certificate of a domain and its order',
    async () => (await import('./commands/certificates.ts')).certificatesShow,
  ),
  'service:domain-connect:templates': entry(
    'Generate Domain Connect templates and the records of their key',
    async () => (await import('./commands/domain-connect-templates.ts')).domainConnectTemplatesCommand,
  ),
  'service:edge-keys:export': entry(
    'Print the keys of the edges as a setting',
    async () => (await import('./commands/edge-keys.ts')).edgeKeysExport,
  ),
  'service:edge-keys:rotate': entry(
    'Seal every value of the edges with the current key',
    async () => (await import('./commands/edge-keys.ts')).edgeKeysRotate,
  ),
  'service:encryption-key:rotate': entry(
    'Re-encrypt every stored secret with the current key',
    async () => (await import('./commands/encryption-key-rotate.ts')).encryptionKeyRotate,
  ),
  'service:events:backlog': entry(
    'Show the backlog of event deliveries',
    async () => (await import('./commands/jobs.ts')).eventsBacklog,
  ),
  'service:holds:create': entry(
    'Hold a hostname for review',
    async () => (await import('./commands/holds.ts')).holdsCreate,
  ),
  'service:holds:list': entry('List the holds', async () => (await import('./commands/holds.ts')).holdsList),
  'service:holds:release': entry(
    'Release a held hostname',
    async () => (await import('./commands/holds.ts')).holdsRelease,
  ),
  'service:jobs:list': entry(
    'List scheduled, due and stuck jobs',
    async () => (await import('./commands/jobs.ts')).jobsList,
  ),
  'service:jobs:retry': entry(
    'Make a job due now',
    async () => (await import('./commands/jobs.ts')).jobsRetry,
  ),
  'service:keys:create': entry(
    'Create a key for an account and print it once',
    async () => (await import('./commands/keys.ts')).keysCreate,
  ),
  'service:keys:list': entry(
    'List the keys of an account',
    async () => (await import('./commands/keys.ts')).keysList,
  ),
  'service:keys:revoke': entry(
    'Revoke a key of an account',
    async () => (await import('./commands/keys.ts')).keysRevoke,
  ),
  'service:members:add': entry(
    'Add a person to an account',
    async () => (await import('./commands/members.ts')).membersAdd,
  ),
  'service:members:list': entry(
    'List the people of an account',
    async () => (await import('./commands/members.ts')).membersList,
  ),
  'service:members:remove': entry(
    'Remove a person from an account',
    async () => (await import('./commands/members.ts')).membersRemove,
  ),
  'service:migrate': entry(
    'Migrate the database to this version',
    async () => (await import('./commands/migrate.ts')).migrate,
  ),
  'service:replica:inspect': entry(
    'Show what the edge of this machine serves for a hostname',
    async () => (await import('./commands/replica-inspect.ts')).replicaInspect,
  ),
  'service:sign-in': entry(
    'Print a sign-in link for a member',
    async () => (await import('./commands/members.ts')).signIn,
  ),
  'service:start': entry(
    'Start a node of the hosted service',
    async () => (await import('./commands/start.ts')).start,
  ),
  'service:status': entry(
    'Show the state of the database, the backlog and the node',
    async () => (await import('./commands/status.ts')).status,
  ),
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
  'service:encryption-key': 'The key that encrypts stored secrets',
  'service:events': 'Event deliveries of all accounts',
  'service:holds': 'Hostnames held for review',
  'service:jobs': 'Scheduled work of the service',
  'service:keys': 'API keys of accounts',
  'service:members': 'People who use accounts in the dashboard',
  'service:replica': 'The values from which an edge serves',
};

function entry(summary: string, load: ServiceCommandEntry['load']): ServiceCommandEntry {
  return { summary, load };
}
