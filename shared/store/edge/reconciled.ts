import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** The subjects of the values of edges, in the order in which a reconciliation reads them. */
export const RECONCILED = [
  'routes',
  'challenges',
  'delegations',
  'holds',
  'drains',
  'lost_hosts',
  'lost_holds',
  'lost_drains',
  'apps',
  'chains',
  'answers',
  'texts',
] as const;
export type ReconciledSubjects = (typeof RECONCILED)[number];

/** How far the reconciliation has come: up to `after` in these subjects. */
export interface Reconciled {
  of: ReconciledSubjects;
  after: string;
  /** When the reconciliation began. */
  began: Instant;
}

/** A page of subjects. */
export interface ReconciledPage {
  /** The names to derive again. A page can have none, although further pages exist. */
  names: string[];
  /** The last name of the page; null if no further page exists. */
  last: string | null;
}

/** Lists a page of subjects after a name, in order. A lost host, hold or drain has a value, but no row in its table. */
export async function listReconciled(
  { db }: Store,
  of: ReconciledSubjects,
  { after, limit }: { after: string; limit: number },
): Promise<ReconciledPage> {
  const { rows } = await sql<{ name: string; is_due: boolean | number }>`
    ${SUBJECTS[of](after)} limit ${limit}`.execute(db);
  return {
    names: rows.filter(({ is_due }) => is_due).map(({ name }) => name),
    last: rows.length < limit ? null : (rows.at(-1)?.name ?? null),
  };
}

/** Lists the values of a kind by key, so that a page costs the same however few of them are due. */
const valuesOf = (kind: string, isDue: RawBuilder<unknown>) => (after: string) =>
  sql`select substr(key, ${sql.lit(kind.length + 2)}) as name, deleted_at is null and ${isDue} as is_due from edge_values
    where key > ${`${kind}.${after}`} and key < ${`${kind}/`} order by key`;

const rowsOf =
  (table: string, name = sql.ref('hostname')) =>
  (after: string) =>
    sql`select distinct ${name} as name, true as is_due from ${sql.table(table)} where ${name} > ${after} order by ${name}`;

const SUBJECTS: Record<ReconciledSubjects, (after: string) => RawBuilder<unknown>> = {
  routes: rowsOf('routes'),
  challenges: rowsOf('challenges'),
  delegations: rowsOf('challenges', sql.ref('domain_id')),
  holds: rowsOf('holds'),
  drains: rowsOf('edge_drains', sql.ref('node')),
  lost_hosts: valuesOf('host', sql`(select 1 from routes where routes.hostname = substr(key, 6)) is null`),
  lost_holds: valuesOf('hold', sql`(select 1 from holds where holds.hostname = substr(key, 6)) is null`),
  lost_drains: valuesOf('drain', sql`(select 1 from edge_drains where node = substr(key, 7)) is null`),
  apps: valuesOf('app', sql`true`),
  chains: valuesOf('chain', sql`true`),
  answers: valuesOf('challenge', sql`true`),
  texts: valuesOf('dns', sql`true`),
};

export async function findReconciled({ db }: Store): Promise<Reconciled> {
  const row = await db.selectFrom('edge_source').select('reconciled').executeTakeFirst();
  return { of: 'routes', after: '', began: 0, ...JSON.parse(row?.reconciled ?? '{}') };
}

export async function saveReconciled(tx: Tx, reconciled: Reconciled): Promise<void> {
  await tx.db
    .updateTable('edge_source')
    .set({ reconciled: JSON.stringify(reconciled) })
    .execute();
}
