import { composeService } from '../../../service/compose.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { serveDashboard } from '../../../shared/dashboard/serve-dashboard.ts';
import { createApi } from '../../../shared/http/api.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { inviteMember } from '../../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../../shared/operations/members/sign-in.ts';
import { closeStore } from '../../../shared/store/store.ts';
import { fillLists } from '../api/lists-at-scale-fill.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';

/** Number of domains. The app has three tenths of them, about 100 000. */
const DOMAINS = 334_000;
const ROUNDS = 15;
/** Number of first requests, which are not measured, because V8 still compiles the code of both contenders. */
const WARM_UP_REQUESTS = 400;
const REQUESTS = 20;
const RATIO_MAX = 1.3;
const MAIL = 'bench@example.com';

/**
 * Measures a page of the dashboard's list of domains, compared with the same page of `GET /v1/domains`. Both run on Postgres, without a
 * socket.
 */
export async function dashboardList(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres(['max_wal_size=4GB', 'autovacuum=off']);
  stack.defer(() => postgres.stop());
  const { url } = await freshDatabase(postgres.url);
  await migrated(url);
  const composition = await composeService(benchConfig(url), BENCH_LOG);
  stack.defer(() => composition.close());
  const { context } = composition;
  const { app, account, live_key } = await createAccount(context, {
    name: 'bench',
    terms: { plan: 'enterprise' },
  });
  await fill(url, { app_id: app.id, account_id: account.id });
  const api = createApi(context, {}, (page, handle) =>
    serveDashboard(page, context, handle, {
      isOpen: false,
      addition: null,
      passkeys: null,
      identityProvider: null,
      admission: null,
    }),
  );
  const base = context.settings.baseUrl;

  async function send(path: string, headers: Record<string, string>, body?: object): Promise<Response> {
    const init = {
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    };
    const response = await api.fetch(new Request(`${base}${path}`, init));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  await inviteMember(context, 'bench', account.id, { mail: MAIL, role: 'viewer' });
  const [, token] = (await createSignInLink(context, 'bench', MAIL)).split('#');
  const signedIn = await send('/dashboard/api/sign-in/links/use', { origin: base }, { token });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const rows: BenchRow[] = [];
  for (const query of ['limit=50', 'limit=100', 'limit=50&status=active']) {
    const sample = async (path: string, headers: Record<string, string>) => {
      const startedAt = performance.now();
      for (let n = 0; n < REQUESTS; n++) {
        await (await send(path, headers)).text();
      }
      return (performance.now() - startedAt) / REQUESTS;
    };
    const contenders = {
      dashboard: () => sample(`/dashboard/api/apps/${app.id}/live/domains?${query}`, { cookie }),
      api: () => sample(`/v1/domains?${query}`, { authorization: `Bearer ${live_key}` }),
    };
    if (rows.length === 0) await interleave(WARM_UP_REQUESTS / REQUESTS, contenders);
    const samples = await interleave(ROUNDS, contenders);
    const [value, floor] = [median(samples.dashboard), median(samples.api)];
    rows.push({
      name: `dashboard, domains?${query} of 100 000, against GET /v1/domains`,
      unit: 'ms',
      value,
      floor,
      target: { text: `${RATIO_MAX} times`, isMet: value <= RATIO_MAX * floor },
    });
  }
  return rows;
}

async function fill(url: string, app: Parameters<typeof fillLists>[1]): Promise<void> {
  const { store } = openPostgresStore({
    connectionString: url,
    connectionsMax: 1,
    statementTimeoutMs: 0,
    onIdleError: console.error,
  });
  await fillLists(store, app, DOMAINS);
  await closeStore(store);
}
