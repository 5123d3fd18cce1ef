import type { SchemaFlags } from '../initial.ts';

/**
 * Creates the tables `jobs`, `lanes` (event queues of domains) and `due_apps`. Triggers make sure that each job or lane has a row of
 * `due_apps`, whichever statement writes the job or lane. A claim writes `leased_until` and leaves `due_at` and its indexes unchanged
 * (`decisions/0087`). The indexes of `due_at` over all apps have a condition that is true for every row (`row-values.ts`).
 */
export const queuesSchema = ({ textType: text, rowLocks }: SchemaFlags): string[] => [
  `create table jobs (
    kind ${text} not null,
    subject_id ${text} not null,
    app_id ${text},
    due_at bigint not null,
    lease_id ${text},
    attempts integer not null,
    leased_until bigint not null default 0,
    constraint jobs_pk primary key (kind, subject_id)
  )`,
  "create index jobs_due on jobs (kind, coalesce(app_id, ''), due_at, subject_id)",
  'create index jobs_next on jobs (kind, due_at, subject_id) where due_at <> -1',
  `create table lanes (
    domain_id ${text} not null,
    app_id ${text} not null,
    due_at bigint,
    lease_id ${text},
    leased_until bigint not null default 0,
    constraint lanes_pk primary key (domain_id)
  )`,
  'create index lanes_due on lanes (app_id, due_at, domain_id) where due_at is not null',
  'create index lanes_next on lanes (due_at) where due_at <> -1',
  `create table due_apps (
    kind ${text} not null,
    app_id ${text} not null,
    wake_at bigint not null,
    first_due_at bigint not null
  )`,
  'create index due_apps_app on due_apps (kind, app_id, wake_at)',
  'create index due_apps_wake on due_apps (kind, wake_at) where wake_at <> -1',
  ...QUEUES.flatMap(rowLocks ? postgresTriggers : sqliteTriggers),
  ...(rowLocks ? ['jobs', 'lanes', 'due_apps'].map(storage) : []),
];

interface QueueTable {
  table: string;
  /** Returns the SQL expression for the kind of work of a row. @param row `new.` in a trigger. */
  kind: (row: string) => string;
  app: (row: string) => string;
}

const QUEUES: readonly QueueTable[] = [
  { table: 'jobs', kind: (row) => `${row}kind`, app: (row) => `coalesce(${row}app_id, '')` },
  { table: 'lanes', kind: () => `'deliver'`, app: (row) => `${row}app_id` },
];

/** Returns an SQL expression for the time from which a row can be claimed. */
const claimableAt = (row: string) =>
  `case when ${row}.leased_until > ${row}.due_at then ${row}.leased_until else ${row}.due_at end`;

const INSERTED = 'new.due_at is not null';
const HASTENED = `new.due_at is not null and
  (old.due_at is null or new.due_at < old.due_at or ${claimableAt('new')} < ${claimableAt('old')})`;

const covering = ({ kind, app }: QueueTable) => `
  select 1 from due_apps
  where kind = ${kind('new.')} and app_id = ${app('new.')} and wake_at <= ${claimableAt('new')} and first_due_at <= new.due_at
  order by wake_at desc limit 1`;

const addition = ({ kind, app }: QueueTable) => `
  insert into due_apps (kind, app_id, wake_at, first_due_at)
  values (${kind('new.')}, ${app('new.')}, ${claimableAt('new')}, new.due_at)`;

/**
 * Returns the triggers for Postgres. They lock the row of `due_apps` that covers the written job or lane until the transaction ends.
 * `claimInTurn` skips locked rows, so it does not replace this row. Key-share locks do not conflict with each other, so a writer waits only
 * while `claimInTurn` replaces the row.
 */
function postgresTriggers(queue: QueueTable): string[] {
  const { table } = queue;
  return [
    `create function ${table}_cover() returns trigger language plpgsql as $$
    begin
      perform from (${covering(queue)} for key share) covering;
      if not found then ${addition(queue)}; end if;
      return null;
    end $$`,
    `create trigger ${table}_inserted after insert on ${table} for each row when (${INSERTED}) execute function ${table}_cover()`,
    `create trigger ${table}_hastened after update of due_at, leased_until on ${table} for each row when (${HASTENED}) execute function ${table}_cover()`,
  ];
}

function sqliteTriggers(queue: QueueTable): string[] {
  const { table } = queue;
  const cover = `and not exists (${covering(queue)}) begin ${addition(queue)}; end`;
  return [
    `create trigger ${table}_inserted after insert on ${table} when ${INSERTED} ${cover}`,
    `create trigger ${table}_hastened after update of due_at, leased_until on ${table} when ${HASTENED} ${cover}`,
  ];
}

/** Returns a statement that leaves space in each page for new versions of rows, and makes autovacuum remove dead rows of a queue early. */
function storage(table: string): string {
  return `alter table ${table} set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`;
}
