import type { Person } from './person.ts';

export const VIEWS_OF_VIEWER = [
  'Domains',
  'Events',
  'Webhook',
  'Keys',
  'App',
  'Plan',
  'Members',
  'Audit log',
];

interface PageGlobals {
  location: { pathname: string };
}

/**
 * Sends every kind of change to the dashboard's API from the viewer's page. @returns the changes that the API did not refuse because of the
 * role.
 */
export async function changesOfViewer({ page }: Person): Promise<string[]> {
  return page.evaluate(async () => {
    const { location } = globalThis as unknown as PageGlobals;
    const app = location.pathname.split('/')[2];
    const base = '/dashboard/api';
    const session = (await (await fetch(`${base}/session`)).json()) as { accounts: { id: string }[] };
    const account = `/accounts/${session.accounts[0]?.id}`;
    const calls: [string, string, object][] = [
      ['PATCH', account, { name: 'Mine' }],
      ['POST', `${account}/members`, { mail: 'eve@example.com', role: 'owner' }],
      ['POST', `${account}/billing/plan`, { plan: 'free' }],
      ['POST', `/apps/${app}/signing-secret/reveal`, {}],
      ['POST', `/apps/${app}/test-event`, {}],
      ['POST', `/apps/${app}/live/domains`, { hostname: 'eve.acme.test' }],
      ['POST', `/apps/${app}/live/keys`, { name: 'mine', mode: 'live' }],
      ['PATCH', `/apps/${app}/live/apps/current`, { webhook_url: null }],
    ];
    const accepted: string[] = [];
    for (const [method, path, body] of calls) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
      const { error } = (await response.json()) as { error?: { code: string } };
      if (error?.code !== 'role_required') accepted.push(`${method} ${path}: ${error?.code}`);
    }
    return accepted;
  });
}
