import type { Browser, Page, Route } from 'playwright-core';
import type { DomainId } from '../../shared/core/ids.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { addTraffic } from '../dashboard/add-traffic.ts';
import { type DashboardInBrowser, dashboardInBrowser } from '../dashboard/dashboard-in-browser.ts';
import { at, drawSurface, type Picture } from './draw-surface.ts';
import { fillApp } from './fill-app.ts';

const DAY_MS = 86_400_000;

type Act = (page: Page) => Promise<unknown>;

/** Returns an act that presses a button. */
export const press =
  (name: string): Act =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click();

export async function drawDashboard(browser: Browser): Promise<void> {
  await drawEmpty(browser);
  // Browsers offer passkeys at this host.
  await using dashboard = await dashboardInBrowser(browser, {}, { host: 'localhost' });
  const { api, add, advance, answer, context, appId, url } = dashboard;
  await api('PATCH /apps/current', { name: 'Hirely', origin_url: 'http://127.0.0.1:3000' }, 'live');
  // A new account may add only a few live domains on its first day.
  await advance(DAY_MS);
  const ids = await fillApp({
    add: (hostname, metadata = {}) => add(hostname, { mode: 'live', metadata }),
    async trigger(id, name, reason) {
      const outcome = await triggerDomain(context, id, name, reason);
      if (!outcome.ok) throw new Error(`${name} is not possible while ${outcome.problem.status}`);
    },
    advance,
    answer,
  });
  await api('POST /keys', { name: 'ci', mode: 'test' });
  await addTraffic(context, ids.active as DomainId);
  await add('demo.acme.com');
  const { data: events } = await api('GET /events?limit=100', undefined, 'live');
  const retried = events.find(
    ({ delivery }: { delivery: { status: string; attempts: number } }) =>
      delivery.status === 'pending' && delivery.attempts > 1,
  );
  const view = (name: string, path: string, act?: Act, mode = 'live') =>
    at(name, `${url}/dashboard/${appId}/${mode}${path}`, act);
  await drawSignedIn(browser, dashboard, [
    view('home', ''),
    view('home-test', '', undefined, 'test'),
    view('home-app-menu', '', (page) =>
      page.locator('.app-menu, .phone-mode').filter({ visible: true }).click(),
    ),
    view('home-find', '', async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('s');
      await page.locator('.found a').first().waitFor();
    }),
    view('home-help', '', (page) => page.keyboard.press('?')),
    view('domains', '/domains'),
    view('domains-none-found', '/domains?hostname=nothing'),
    view('domains-add', '/domains', press('Add domain')),
    view('domains-loading', '/domains', (page) => reloadWith(page, () => undefined)),
    view('domains-error', '/domains', (page) => reloadWith(page, (route) => route.abort())),
    view('domain-delete', `/domains/${ids.active}`, press('Delete…')),
    view('domain-copied', `/domains/${ids.active}`, (page) => page.locator('.record button').first().click()),
    view('domain-unknown', '/domains/dom_nothing'),
    view('events', `/events/${retried.id}`),
    view('events-list', '/events'),
    view('events-send-again', '/events', press('Send failed again…')),
    view('webhook', '/webhook'),
    view('keys', '/keys'),
    view('keys-new', '/keys', press('New key…')),
    view('settings', '/app'),
    view('settings-changed', '/app', (page) =>
      page.getByRole('textbox', { name: 'Name', exact: true }).fill('Hirely jobs'),
    ),
    ...['plan', 'members', 'audit', 'sessions'].map((each) => view(each, `/${each}`)),
    view('members-invite', '/members', press('Invite…')),
    // These pages come last, because each one moves the clock.
    ...(['failed', 'active', 'broken', 'held', 'expired', 'pending'] as const).map((each) =>
      afterPause(view(each === 'failed' ? 'domain' : `domain-${each}`, `/domains/${ids[each]}`), advance),
    ),
  ]);
  await drawSurface(browser, { pictures: signInPages(dashboard) });
}

/** Loads the view again while the network treats the requests for its list as `handle` says. */
async function reloadWith(page: Page, handle: (route: Route) => unknown): Promise<void> {
  await page.route(/\/dashboard\/api\/.*\/domains(\?|$)/, handle);
  await page.reload({ waitUntil: 'load' });
  await page.waitForTimeout(SETTLED_MS);
}

/** The time after which the bones of a list are visible. */
const SETTLED_MS = 1500;

/** A domain can be diagnosed once in 15 seconds, and the page of a broken domain does so when it opens. */
const DIAGNOSIS_MS = 15_000;

/** Moves the clock before the picture, so that the page can diagnose its domain. */
export function afterPause({ name, show }: Picture, advance: (ms: number) => Promise<unknown>): Picture {
  return {
    name,
    async show(page) {
      await advance(DIAGNOSIS_MS);
      await show(page);
    },
  };
}

/** Draws the views of an app without domains. */
async function drawEmpty(browser: Browser): Promise<void> {
  await using dashboard = await dashboardInBrowser(browser);
  const views = ['', '/domains', '/events', '/keys'];
  const pictures = views.map((path) =>
    at(
      `empty${path.replace('/', '-') || '-home'}`,
      `${dashboard.url}/dashboard/${dashboard.appId}/live${path}`,
    ),
  );
  await drawSignedIn(browser, dashboard, pictures);
}

function drawSignedIn(browser: Browser, dashboard: DashboardInBrowser, pictures: Picture[]): Promise<void> {
  return drawSurface(browser, {
    pictures,
    open: async (screen) => (await dashboard.signIn('owner', screen)).page,
  });
}

function signInPages({ url }: DashboardInBrowser): Picture[] {
  const signIn = `${url}/dashboard/sign-in`;
  return [
    at('signin', signIn),
    at('signin-sent', signIn, async (page) => {
      await page.getByLabel('Email address').fill('ada@example.com');
      await press('Email me a sign-in link')(page);
      await page.getByText('a link is on its way').waitFor();
    }),
    at('signin-expired', `${signIn}#12345678901234567890`, async (page) => {
      await page.reload();
      await press('Sign in')(page);
      await page.getByText('has expired').waitFor();
    }),
  ];
}
