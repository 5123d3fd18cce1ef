/**
 * An API call and a command that do the same as a page. The call is such as `GET /v1/domains`, and the command has the words after
 * `nameplate`. Each is null if there is none.
 */
export type SameBy = readonly [what: string, call: string | null, command: string | null];

/** The API calls and commands of each page. `test/dashboard/same-by.test.ts` checks that they exist. */
export const SAME_BY = {
  home: [
    ['List broken domains', 'GET /v1/domains?status=dns_broken', 'domains list --status dns_broken'],
    ['Show the app', 'GET /v1/apps/current', 'apps get'],
    ['Show the traffic', 'GET /v1/traffic', 'domains traffic'],
    ['Check your setup', null, 'doctor'],
  ],
  domains: [
    ['List domains', 'GET /v1/domains', 'domains list'],
    ['Add a domain', 'POST /v1/domains', 'domains add careers.acme.com'],
    ['Export as CSV', 'GET /v1/domains', 'domains list --all --csv'],
  ],
  events: [
    ['List events', 'GET /v1/events', 'events list'],
    ['Follow events', 'GET /v1/events/stream', 'events tail'],
    ['Redeliver failed events', 'POST /v1/events/{id}/redeliver', 'events redeliver --failed --since 3d'],
  ],
  webhook: [
    ['Set the address', 'PATCH /v1/apps/current', 'apps update --webhook https://app.example.com/webhooks'],
    ['Rotate the secret', 'POST /v1/apps/current/signing-secret/rotate', 'apps rotate-secret'],
    ['Check a signature', null, 'webhooks verify'],
    ['Receive events on your machine', 'GET /v1/events/stream', 'listen'],
  ],
  keys: [
    ['List keys', 'GET /v1/keys', 'keys list'],
    ['Create a key', 'POST /v1/keys', 'keys create --name ci --mode test'],
    ['Revoke a key', 'DELETE /v1/keys/{id}', 'keys revoke key_01k…'],
  ],
  app: [
    ['Show the app', 'GET /v1/apps/current', 'apps get'],
    ['Change the app', 'PATCH /v1/apps/current', 'apps update --origin https://app.example.com'],
  ],
  plan: [['Show the account, as its operator', null, 'service accounts get <account>']],
  members: [
    ['List members, as the operator', null, 'service members list <account>'],
    ['Add a member, as the operator', null, 'service members add <account> ada@example.com'],
  ],
  audit: [['List actions, as the operator', null, 'service audit list']],
  sessions: [
    ['Make a sign-in link, as the operator', null, 'service sign-in ada@example.com'],
    ['Show which key a terminal uses', null, 'whoami'],
  ],
} as const satisfies Record<string, readonly SameBy[]>;

/** The calls and commands for one domain. @param hostname the hostname in the commands. */
export function sameByForDomain(id: string, hostname: string): SameBy[] {
  return [
    ['Show the domain', `GET /v1/domains/${id}`, `domains get ${hostname}`],
    ['Diagnose', `GET /v1/domains/${id}/diagnosis`, `domains diagnose ${hostname}`],
    ['Show its traffic', `GET /v1/domains/${id}/traffic`, `domains traffic ${hostname}`],
    ['Verify now', `POST /v1/domains/${id}/verify`, `domains verify ${hostname}`],
    ['Show its events', `GET /v1/events?domain_id=${id}`, `events list --domain ${hostname}`],
    ['Change its settings', `PATCH /v1/domains/${id}`, `domains update ${hostname} --metadata customer=42`],
    ['Open the connect page', null, `domains open ${hostname}`],
    ['Delete', `DELETE /v1/domains/${id}`, `domains remove ${hostname}`],
  ];
}

/** The calls and commands for one event. */
export function sameByForEvent(id: string): SameBy[] {
  return [
    ['Show the event', `GET /v1/events/${id}`, `events get ${id}`],
    ['Redeliver', `POST /v1/events/${id}/redeliver`, `events redeliver ${id}`],
  ];
}
