import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeService } from '../../service/compose.ts';
import { serveApi } from '../bench/api/lists-at-scale-api.ts';
import { type SeenStatement, seenStatements } from '../bench/api/seen-statements.ts';
import { hasPostgres15, startPostgres15 } from '../bench/deliveries/service-claim-cost-postgres-15.ts';
import { BENCH_LOG, benchConfig, migrated } from '../bench/deliveries/service-deliverer.ts';
import { fillDomains } from '../bench/million/fill.ts';
import { withEmptyStatistics } from '../bench/million/statistics.ts';
import { PLAN_OPERATIONS, PREPARATIONS } from './plan-operations.ts';

const DOMAINS = 100_000;
/** Maximum number of blocks that a statement may read, however large the tables are. */
const BLOCKS_MAX = 5_000;
const FILL_MS = 600_000;

const BIG_TABLES = [
  'domains',
  'domain_metadata',
  'routes',
  'edge_values',
  'dns_checks',
  'certificates',
  'certificate_history',
  'jobs',
  'lanes',
  'due_apps',
  'events',
  'deliveries',
  'traffic',
];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/**
 * Known problems by operation: the tables that the operation scans, or `blocks` if it reads too many blocks. Remove an operation once
 * it has no problem.
 */
const KNOWN: Readonly<Record<string, { of: readonly string[]; reason: string }>> = {
  'a repair of schedules': {
    of: ['jobs', 'lanes', 'blocks'],
    reason: 'No index has the leases of jobs and lanes.',
  },
  'a scrape of /metrics': {
    of: ['blocks'],
    reason:
      'With the statistics of empty tables, the planner may sort all due jobs of a kind instead of using the index.',
  },
  'the use of features by an app': { of: ['domains', 'blocks'], reason: 'Reads all domains of the app.' },
};

/** The private keys of the fill cannot be decrypted, and the log would have an error for each. */
const LOG = { ...BENCH_LOG, error: () => undefined };

const WHERE = 'on Postgres 15, the oldest that the service runs on';
if (!hasPostgres15())
  console.warn(`SKIPPED the plans of statements ${WHERE}: it is not installed (Debian: postgresql-15)`);
describe.skipIf(!hasPostgres15())(`the plans of SQL statements with ${DOMAINS} domains, ${WHERE}`, () => {
  const stack = new AsyncDisposableStack();
  /** The distinct statements of each operation. */
  const seen = new Map<string, SeenStatement[]>();
  const withProblems = new Set<string>();
  let client: pg.Client;

  beforeAll(async () => {
    const server = await startPostgres15(['shared_buffers=512MB', 'autovacuum=off', 'max_wal_size=1GB']);
    const url = server?.url ?? '';
    stack.defer(async () => server?.stop());
    await migrated(url);
    const { context, close } = await composeService(benchConfig(url), LOG);
    stack.defer(close);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    stack.defer(() => client.end());
    const served = await serveApi(context);
    const fill = await fillDomains(context, client, served.app, DOMAINS);
    for (const [name, operation] of Object.entries(PLAN_OPERATIONS)) {
      const world = { context, client, served, fill };
      await PREPARATIONS[name]?.(world);
      const statements = await seenStatements(() => operation(world));
      const planned = statements.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
      seen.set(name, [...new Map(planned.map((each) => [each.text, each])).values()]);
    }
    await client.query('vacuum analyze');
  }, FILL_MS);
  afterAll(() => stack.disposeAsync());

  test('every tested operation sends statements', () => {
    expect([...seen].flatMap(([name, statements]) => (statements.length === 0 ? name : []))).toEqual([]);
  });

  test(
    'no statement scans or reads much of a big table after ANALYZE',
    async () => {
      expect(await unexpected()).toEqual([]);
    },
    FILL_MS,
  );

  test(
    'no statement scans or reads much of a big table with the statistics of empty tables',
    async () => {
      expect(await withEmptyStatistics(client, BIG_TABLES, unexpected)).toEqual([]);
    },
    FILL_MS,
  );

  test('every operation in the list of known problems still has a problem', () => {
    expect(Object.keys(KNOWN).filter((name) => !withProblems.has(name))).toEqual([]);
  });

  /** Returns the problems that `KNOWN` does not list. */
  async function unexpected(): Promise<string[]> {
    const found: string[] = [];
    for (const [name, statements] of seen) {
      const known = KNOWN[name]?.of ?? [];
      for (const statement of statements) {
        const problems = await problemsOf(client, statement);
        if (problems.length > 0) withProblems.add(name);
        for (const { what, detail } of problems)
          if (!known.includes(what))
            found.push(`${name}: ${what}: ${detail}: ${statement.text.replaceAll(/\s+/g, ' ')}`);
      }
    }
    return found;
  }
});

interface Problem {
  /** The problem: the name of a scanned table, or `blocks`. */
  what: string;
  detail: string;
}

/**
 * Executes a statement twice and rolls it back: with its values, and prepared with a plan without values. Connections prepare a statement
 * that they send often, and Postgres may then use such a plan.
 * @returns the problems of both plans.
 */
async function problemsOf(client: pg.Client, statement: SeenStatement): Promise<Problem[]> {
  const withValues = await problemsOfPlan(client, statement.text, statement.values);
  if (statement.values.length === 0) return withValues;
  await client.query(`prepare planned as ${statement.text}`);
  try {
    const values = statement.values.map((value) =>
      value === null ? 'null' : client.escapeLiteral(textOf(value)),
    );
    await client.query('set plan_cache_mode = force_generic_plan');
    const without = await problemsOfPlan(client, `execute planned (${values})`, []);
    return [...withValues, ...without.map(({ what, detail }) => ({ what, detail: `${detail}, prepared` }))];
  } finally {
    await client.query('deallocate planned');
    await client.query('reset plan_cache_mode');
  }
}

/** Returns a value in the form in which Postgres reads it from a text. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each))}}` : String(value);
}

/** Executes a statement and rolls it back. @returns the problems of its plan. */
async function problemsOfPlan(client: pg.Client, text: string, values: unknown[]): Promise<Problem[]> {
  await client.query('begin');
  try {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    const scanned = nodesOf(plan).flatMap((node) =>
      node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? '') : [],
    );
    return [
      ...scanned
        .filter((table) => BIG_TABLES.includes(table))
        .map((table) => ({ what: table, detail: 'sequential scan' })),
      ...(blocks > BLOCKS_MAX ? [{ what: 'blocks', detail: String(blocks) }] : []),
    ];
  } catch (error) {
    // The operation has already inserted this row. A plain insert of values has no plan worth examining.
    if (error instanceof pg.DatabaseError && error.code === '23505') return [];
    throw error;
  } finally {
    await client.query('rollback');
  }
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
