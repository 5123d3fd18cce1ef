import type { ServiceCommand } from './command.ts';

/** A command of the operator: its one-line summary, and its file, loaded only when it runs. */
export interface ServiceCommandEntry {
  summary: string;
  load: () => Promise<ServiceCommand>;
}

/** Commands by their words joined with `:`. */
export const SERVICE_COMMANDS: Readonly<Record<string, ServiceCommandEntry>> = {
  'service:accounts:create': entry(
    'Open an account and print its keys, once',
    async () => (await import('./commands/accounts/accounts-create.ts')).accountsCreate,
  ),
  'service:accounts:get': entry(
    'Show an account',
    async () => (await import('./commands/accounts/accounts-get.ts')).accountsGet,
  ),
  'service:accounts:list': entry(
    'List the accounts',
    async () => (await import('./commands/accounts/accounts-list.ts')).accountsList,
  ),
  'service:accounts:resume': entry(
    'End the suspension of an account',
    async () => (await import('./commands/accounts/accounts-resume.ts')).accountsResume,
  ),
  'service:accounts:suspend': entry(
    'Suspend an account; its domains go on serving',
    async () => (await import('./commands/accounts/accounts-suspend.ts')).accountsSuspend,
  ),
  'service:accounts:update': entry(
    'Change the plan, the trial or the card of an account',
    async () => (await import('./commands/accounts/accounts-update.ts')).accountsUpdate,
  ),
  'service:audit:list': entry(
    'List what operators did, newest first',
    async () => (await import('./commands/audit-list.ts')).auditList,
  ),
  'service:certificates:list': entry(
    'List the certificates that are served',
    async () => (await import('./commands/certificates/certificates-list.ts')).certificatesList,
  ),
  'service:certificates:reissue': entry(
    'Replace a certificate now',
    async () => (await import('./commands/certificates/certificates-reissue.ts')).certificatesReissue,
  ),
  'service:certificates:show': entry(
    'Show the certificate of a domain and its order',
    async () => (await import('./commands/certificates/certificates-show.ts')).certificatesShow,
  ),
  'service:domain-connect:templates': entry(
    'Make the Domain Connect templates and the records of their key',
    async () => (await import('./commands/domain-connect-templates.ts')).domainConnectTemplatesCommand,
  ),
  'service:encryption-key:rotate': entry(
    'Seal every stored secret under the current key',
    async () => (await import('./commands/encryption-key-rotate.ts')).encryptionKeyRotate,
  ),
  'service:events:backlog': entry(
    'Show which deliveries are due',
    async () => (await import('./commands/jobs/events-backlog.ts')).eventsBacklog,
  ),
  'service:holds:create': entry(
    'Hold a hostname for review',
    async () => (await import('./commands/holds/holds-create.ts')).holdsCreate,
  ),
  'service:holds:list': entry(
    'List the holds',
    async () => (await import('./commands/holds/holds-list.ts')).holdsList,
  ),
  'service:holds:release': entry(
    'Release a held hostname',
    async () => (await import('./commands/holds/holds-release.ts')).holdsRelease,
  ),
  'service:jobs:list': entry(
    'List what is due, and what is stuck',
    async () => (await import('./commands/jobs/jobs-list.ts')).jobsList,
  ),
  'service:jobs:retry': entry(
    'Make a job due now',
    async () => (await import('./commands/jobs/jobs-retry.ts')).jobsRetry,
  ),
  'service:keys:create': entry(
    'Create a key for an account and print it once',
    async () => (await import('./commands/accounts/keys-create.ts')).keysCreate,
  ),
  'service:migrate': entry(
    'Bring the database up to this version',
    async () => (await import('./commands/migrate.ts')).migrate,
  ),
  'service:start': entry(
    'Start a node of the hosted service',
    async () => (await import('./commands/start.ts')).start,
  ),
  'service:status': entry(
    'Show the database, the backlog and the node',
    async () => (await import('./commands/status.ts')).status,
  ),
};

/** The topics that the commands stand in. */
export const SERVICE_TOPICS: Readonly<Record<string, string>> = {
  service: 'The hosted service, for its operator',
  'service:accounts': 'Accounts of the hosted service',
  'service:audit': 'What operators did',
  'service:certificates': 'TLS certificates of live domains',
  'service:domain-connect': 'One click at the DNS provider',
  'service:encryption-key': 'The key that stored secrets are sealed with',
  'service:events': 'Deliveries of all accounts',
  'service:holds': 'Hostnames held for review',
  'service:jobs': 'What the service still owes',
  'service:keys': 'Keys of accounts',
};

function entry(summary: string, load: ServiceCommandEntry['load']): ServiceCommandEntry {
  return { summary, load };
}
