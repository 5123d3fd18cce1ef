import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { LOOKUPS_MAX } from '../../../shared/store/ordered-walk.ts';
import { type ServedApi, serveApi } from '../../bench/api/lists-at-scale-api.ts';
import { LIST_CASES, listPath } from '../../bench/api/lists-at-scale-cases.ts';
import { fillLists } from '../../bench/api/lists-at-scale-fill.ts';
import { type SeenStatement, seenStatements } from '../../bench/api/seen-statements.ts';
import { hasPostgres15, startPostgres15 } from '../../bench/deliveries/service-claim-cost-postgres-15.ts';
import { BENCH_LOG, benchConfig, migrated } from '../../bench/deliveries/service-deliverer.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../../fixtures/postgres/postgres.ts';

/** The large app has three thousand of these domains. A list that reads the whole app would read more than a page may. */
const DOMAINS = 10_000;
const DEEP = 2_500;
/** Buffers that one lookup reads: the levels of an index, and the row. */
const BUFFERS_PER_LOOKUP = 5;
const TABLES = ['domains', 'domain_metadata', 'events', 'api_keys'];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

describePostgres('the cost of an API list', () => costTests(createDatabase));

const WHERE = 'on Postgres 15, the oldest that the service runs on';
if (!hasPostgres15())
  console.warn(`SKIPPED the cost of a list ${WHERE}: it is not installed (Debian: postgresql-15)`);
describe.skipIf(!hasPostgres15())(`the cost of an API list ${WHERE}`, () => {
  costTests(async () => {
    const server = await startPostgres15([]);
    return { url: server?.url ?? '', [Symbol.asyncDispose]: async () => server?.stop() };
  });
});

function costTests(create: () => Promise<TestDatabase>): void {
  const stack = new AsyncDisposableStack();
  let client: pg.Client;
  let api: ServedApi;

  beforeAll(async () => {
    const { url } = stack.use(await create());
    await migrated(url);
    const { context, close } = await composeService(benchConfig(url), BENCH_LOG);
    stack.defer(close);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    stack.defer(() => client.end());
    api = await serveApi(context);
    await fillLists(context.store, api.app, DOMAINS);
    await client.query('vacuum analyze');
  });
  afterAll(() => stack.disposeAsync());

  test.each(LIST_CASES)('is limited: $name', async (one) => {
    for (const behind of [undefined, DEEP]) {
      const path = listPath(one, api.app.app_id, behind);
      const seen = await seenStatements(() => api.send('GET', path, undefined, one.mode));
      const statements = seen.filter(({ text }) => /^\s*select/.test(text));
      for (const planCacheMode of ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`set plan_cache_mode = ${planCacheMode}`);
        const plans: PlanNode[] = [];
        for (const statement of statements) plans.push(await planOf(client, statement));
        expect(excessOf(plans), `${planCacheMode}: ${path}`).toEqual([]);
      }
    }
  });
}

/** Returns the plan of a statement, executed as a prepared statement. The setting `plan_cache_mode` decides which plan Postgres uses. */
async function planOf(client: pg.Client, { text, values }: SeenStatement): Promise<PlanNode> {
  const given = values.map((value) =>
    typeof value === 'number' ? value : client.escapeLiteral(String(value)),
  );
  await client.query(`prepare listed as ${text}`);
  try {
    const executed = `execute listed ${given.length === 0 ? '' : `(${given.join(', ')})`}`;
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${executed}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate listed');
  }
}

/** Describes the plan nodes that read more rows or buffers than one page of a list may. */
function excessOf(plans: readonly PlanNode[]): string[] {
  const excess: string[] = [];
  const buffers = plans.reduce(
    (sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    0,
  );
  if (buffers > BUFFERS_PER_LOOKUP * LOOKUPS_MAX) excess.push(`${buffers} buffers`);
  for (const node of plans.flatMap(nodesOf)) {
    const table = node['Relation Name'];
    if (table === undefined || !TABLES.includes(table)) continue;
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    if (node['Node Type'] === 'Seq Scan') excess.push(`Seq Scan of ${table}`);
    if (read > LOOKUPS_MAX) excess.push(`${node['Node Type']} of ${table}: ${read} rows`);
  }
  return excess;
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
