/** An API call and a command that do the same as a page. */
export interface SameBy {
  what: string;
  /** The API call that does the same, such as `GET /v1/domains`; null if no call does. */
  call: string | null;
  /** The words after `nameplate`, such as `domains list`; null if there is no such command. */
  command: string | null;
}

/** The API calls and commands of each page. `test/dashboard/same-by.test.ts` checks that they exist. */
export const SAME_BY = {
  home: [
    {
      what: 'List broken domains',
      call: 'GET /v1/domains?status=dns_broken',
      command: 'domains list --status dns_broken',
    },
    { what: 'Show the app', call: 'GET /v1/apps/current', command: 'apps get' },
    { what: 'Show the traffic', call: 'GET /v1/traffic', command: 'domains traffic' },
    { what: 'Check your setup', call: null, command: 'doctor' },
  ],
  domains: [
    { what: 'List domains', call: 'GET /v1/domains', command: 'domains list' },
    { what: 'Add a domain', call: 'POST /v1/domains', command: 'domains add careers.acme.com' },
    { what: 'Export as CSV', call: 'GET /v1/domains', command: 'domains list --all --csv' },
  ],
  events: [
    { what: 'List events', call: 'GET /v1/events', command: 'events list' },
    { what: 'Follow events', call: 'GET /v1/events/stream', command: 'events tail' },
    {
      what: 'Redeliver failed events',
      call: 'POST /v1/events/{id}/redeliver',
      command: 'events redeliver --failed --since 3d',
    },
  ],
  webhook: [
    {
      what: 'Set the address',
      call: 'PATCH /v1/apps/current',
      command: 'apps update --webhook https://app.example.com/webhooks',
    },
    {
      what: 'Rotate the secret',
      call: 'POST /v1/apps/current/signing-secret/rotate',
      command: 'apps rotate-secret',
    },
    { what: 'Check a signature', call: null, command: 'webhooks verify' },
    { what: 'Receive events on your machine', call: 'GET /v1/events/stream', command: 'listen' },
  ],
  keys: [
    { what: 'List keys', call: 'GET /v1/keys', command: 'keys list' },
    { what: 'Create a key', call: 'POST /v1/keys', command: 'keys create --name ci --mode test' },
    { what: 'Revoke a key', call: 'DELETE /v1/keys/{id}', command: 'keys revoke key_01k…' },
  ],
  app: [
    { what: 'Show the app', call: 'GET /v1/apps/current', command: 'apps get' },
    {
      what: 'Change the app',
      call: 'PATCH /v1/apps/current',
      command: 'apps update --origin https://app.example.com',
    },
  ],
  plan: [
    { what: 'Show the account, as its operator', call: null, command: 'service accounts get <account>' },
  ],
  members: [
    { what: 'List members, as the operator', call: null, command: 'service members list <account>' },
    {
      what: 'Add a member, as the operator',
      call: null,
      command: 'service members add <account> ada@example.com',
    },
  ],
  audit: [{ what: 'List actions, as the operator', call: null, command: 'service audit list' }],
  sessions: [
    { what: 'Make a sign-in link, as the operator', call: null, command: 'service sign-in ada@example.com' },
    { what: 'Show which key a terminal uses', call: null, command: 'whoami' },
  ],
} as const satisfies Record<string, readonly SameBy[]>;

/** The calls and commands for one domain. @param hostname the hostname in the commands. */
export function sameByForDomain(id: string, hostname: string): SameBy[] {
  return [
    { what: 'Show the domain', call: `GET /v1/domains/${id}`, command: `domains get ${hostname}` },
    { what: 'Diagnose', call: `GET /v1/domains/${id}/diagnosis`, command: `domains diagnose ${hostname}` },
    {
      what: 'Show its traffic',
      call: `GET /v1/domains/${id}/traffic`,
      command: `domains traffic ${hostname}`,
    },
    { what: 'Verify now', call: `POST /v1/domains/${id}/verify`, command: `domains verify ${hostname}` },
    {
      what: 'Show its events',
      call: `GET /v1/events?domain_id=${id}`,
      command: `events list --domain ${hostname}`,
    },
    {
      what: 'Change its settings',
      call: `PATCH /v1/domains/${id}`,
      command: `domains update ${hostname} --metadata customer=42`,
    },
    { what: 'Open the connect page', call: null, command: `domains open ${hostname}` },
    { what: 'Delete', call: `DELETE /v1/domains/${id}`, command: `domains remove ${hostname}` },
  ];
}

/** The calls and commands for one event. */
export function sameByForEvent(id: string): SameBy[] {
  return [
    { what: 'Show the event', call: `GET /v1/events/${id}`, command: `events get ${id}` },
    { what: 'Redeliver', call: `POST /v1/events/${id}/redeliver`, command: `events redeliver ${id}` },
  ];
}
