import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'h3';
import { composeEmulator, type EmulatorComposition } from '../../emulator/compose.ts';
import type { CapturedMail } from '../../emulator/state/captured-mail.ts';
import { createPasskeys } from '../../service/identity/passkeys.ts';
import type { Role } from '../../shared/core/accounts/member.ts';
import { passkeySite } from '../../shared/core/accounts/passkey.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import type { Settings } from '../../shared/core/settings.ts';
import { serveDashboard } from '../../shared/dashboard/serve-dashboard.ts';
import type { Admission } from '../../shared/http/admission.ts';
import { createApi } from '../../shared/http/api.ts';
import type { CreatedAccount } from '../../shared/operations/accounts/create-account.ts';
import type { Context } from '../../shared/operations/context.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import type { IdentityProvider } from '../../shared/ports/accounts.ts';
import { type AuditEntry, listAudit } from '../../shared/store/accounts/audit-log.ts';

/** A response of the dashboard's API. */
export interface Received {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many shapes
  body: any;
}

/** A client that uses the dashboard's API as a browser does: it stores cookies and sends `Origin`. */
export interface TestBrowser {
  /** @param call method and path below `/dashboard/api`, such as `GET /session`. */
  send(call: string, body?: unknown, headers?: Record<string, string>): Promise<Received>;
  /** Opens a page without following redirects. @param path the path and query of the page. */
  open(path: string): Promise<Received>;
  cookies: Map<string, string>;
}

/** The dashboard with sign-in, as the service serves it, on the database and the frozen clock of an emulator. */
export interface DashboardUnderTest extends AsyncDisposable {
  url: string;
  context: Context;
  composition: EmulatorComposition;
  account: CreatedAccount;
  browser(): TestBrowser;
  /** Adds a member who has joined, and returns a signed-in browser. */
  signedIn(role: Role, mail?: string): Promise<TestBrowser>;
  /** Runs the due jobs and returns the captured mails, newest first. */
  mails(): Promise<CapturedMail[]>;
  audit(): Promise<AuditEntry[]>;
  /** The reasons for refused sign-ins, from the field `reason` of the log, oldest first. */
  reasons: string[];
}

interface TestOptions {
  /** The host in the dashboard's URL. Browsers offer passkeys at `localhost`, but not at an IP address. */
  host?: '127.0.0.1' | 'localhost';
  identityProvider?: IdentityProvider | null;
  admission?: Admission | null;
  /** Pass null for a service without a mail server. */
  mailer?: null;
  /** Creates the billing provider with the dashboard's context. The account then has a running free trial and no plan. */
  billing?: ((context: Context) => Context['billing']) | undefined;
}

export async function dashboardUnderTest(
  settings: Partial<Settings> = {},
  { host = '127.0.0.1', identityProvider = null, admission = null, billing, ...given }: TestOptions = {},
): Promise<DashboardUnderTest> {
  let listener: RequestListener = (_req, res) => res.end();
  const server = createServer((req, res) => listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const reasons: string[] = [];
  const noteReason = (fields: Record<string, unknown>) => {
    if (typeof fields['reason'] === 'string') reasons.push(fields['reason']);
  };
  const composition = await composeEmulator({
    file: null,
    origin: null,
    webhook: null,
    clockMode: 'frozen',
    idSeed: null,
    baseUrl: url,
    log: { info: noteReason, warn: noteReason, error: console.error },
  });
  const context: Context = {
    ...composition.context,
    ...given,
    settings: { ...composition.context.settings, ...settings },
  };
  if (billing !== undefined) context.billing = billing(context);
  const site = passkeySite(url);
  const app = createApi(context, {}, (page, handle) =>
    serveDashboard(page, context, handle, {
      isOpen: false,
      addition: null,
      passkeys: site && createPasskeys(site, 'Service'),
      identityProvider,
      admission,
    }),
  );
  listener = toNodeHandler(app) as RequestListener;
  const terms = billing === undefined ? { plan: 'scale' as const } : {};
  const account = await openAccount(context, 'test', { name: 'Acme', terms });
  const accountId: AccountId = account.account.id;

  const browser = () =>
    createTestBrowser(url, async () => {
      // Moves the clock by a millisecond before each request, because ids sort by their millisecond.
      if (composition.clock.state.mode === 'frozen') await composition.time.advance({ by_ms: 1 });
      return url;
    });

  return {
    url,
    context,
    composition,
    account,
    browser,
    async signedIn(role, mail = `${role}@example.com`) {
      await inviteMember(context, 'test', accountId, { mail, role });
      const made = browser();
      const [, token] = (await createSignInLink(context, 'test', mail)).split('#');
      const { status } = await made.send('POST /sign-in/links/use', { token });
      if (status !== 200) throw new Error(`the sign-in got ${status}`);
      await made.send(`GET /accounts/${accountId}`);
      return made;
    },
    async mails() {
      await composition.time.advance({ by_ms: 0 });
      return composition.mails.list();
    },
    reasons,
    audit: () => listAudit(context.store, 100, { subject: accountId }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await composition.close();
    },
  };
}

/**
 * Creates a browser without cookies.
 * @param origin the origin of the page that the browser shows.
 * @param next a function that returns the URL of the node for the next request.
 */
export function createTestBrowser(origin: string, next: () => Promise<string>): TestBrowser {
  const cookies = new Map<string, string>();
  async function request(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(`${await next()}${path}`, {
      method,
      redirect: 'manual',
      // Below the limit of a test, so that a call without a response fails with its own name.
      signal: AbortSignal.timeout(60_000),
      headers: {
        ...(method !== 'GET' && { origin }),
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]?.split('=') ?? [];
      if (/Max-Age=0/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  return {
    cookies,
    async send(call, body, headers = {}) {
      const [method = '', path = ''] = call.split(' ');
      return request(method, `/dashboard/api${path}`, body, headers);
    },
    open: (path) => request('GET', path, undefined, {}),
  };
}
