import { systemClock } from '../../shared/adapters/system.ts';
import { printable } from '../../shared/core/text/printable.ts';
import type { Log } from '../../shared/ports/system.ts';
import { SCRAPED_MAX } from '../../shared/store/events/backlog.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { hasEmbeddedDatabase } from '../database/embedded-database.ts';
import { type CheckedDelegation, checkDelegations } from '../dns/check-delegations.ts';
import type { EdgeEngineState } from '../edge/engine.ts';
import { askNode, type ReportedState } from '../health/ask-node.ts';
import { NOT_USED, type Readiness, type ReplicaState, readReadiness } from '../health/readiness.ts';
import { localUrlOf } from '../listening.ts';
import { agreedSettings, differencesOf, type SettingDifference } from '../settings/agreed-settings.ts';
import { configurationWarnings } from '../settings/configuration-warnings.ts';
import { isOutside } from '../settings/node-roles.ts';
import { operatorLog } from './operator/operator.ts';

export const status: ServiceCommand = {
  description:
    'Shows the state of the database, its migrations and its backlog. Also shows the state and the configuration warnings of the node at NAMEPLATE_ADMIN_LISTEN. If no node responds, the warnings are about the settings of this shell. With NAMEPLATE_DNS_SERVERS, it checks from here whether the DNS zones are delegated to these servers, and says what to change. Exits with 8 unless both the database and the node are ready. Use --no-node where no node runs.',
  examples: ['service status', 'service status --no-node --json'],
  flags: {
    node: { summary: 'Check the node too (default)', kind: 'yes_no' },
    dns: {
      summary: 'Check the delegation of the zones too, if NAMEPLATE_DNS_SERVERS is set (default)',
      kind: 'yes_no',
    },
  },
  async run(call) {
    const asksNode = call.flags['node'] !== false;
    const config = readConfig(call.env);
    const adminUrl = localUrlOf(config.admin);
    const [database, node, delegations] = await Promise.all([
      askDatabase(config, operatorLog(call)),
      asksNode ? askNode(adminUrl) : null,
      call.flags['dns'] === false ? [] : checkDelegations(config),
    ]);
    const { backlog } = database;
    const nodeSays = node === null ? `does not respond at ${adminUrl}` : stateOf(node);
    // Prefer the node's own warnings, because this shell may have other settings than the node.
    const warnings = node?.configuration_warnings ?? configurationWarnings(config);
    const differences = node?.settings ? differencesOf(agreedSettings(config), node.settings) : [];
    const isReady = database.ready && (!asksNode || node?.ready === true);
    return {
      document: {
        database: database.database,
        migrations: database.migrations,
        backlog,
        configuration_warnings: warnings,
        delegations,
        differences,
        admin_url: adminUrl,
        node,
      },
      view: {
        fields: [
          ['database', database.database],
          ['migrations', database.migrations],
          ['jobs due', lateness(backlog?.jobs_due, backlog?.jobs_late_ms)],
          ['deliveries due', lateness(backlog?.lanes_due, backlog?.lanes_late_ms)],
          ['events pending', backlog === null ? 'unknown' : counted(backlog.events_pending)],
          ...(asksNode ? [['node', nodeSays] as const] : []),
          ...(node?.processes ?? []).map(processField),
          ...(node === null ? [] : [['DNS resolvers', node.resolvers] as const]),
          ...(node?.edge_engine ? [engineField(node.edge_engine)] : []),
          ...(node?.replica ? [replicaField(node.replica)] : []),
          ...delegations.map(delegationField),
          ...warnings.map(({ setting, cannot }) => ['cannot', `${cannot} (${setting})`] as const),
        ],
      },
      after: [...delegationLines(delegations), ...differenceLines(differences)],
      exit: isReady ? 0 : 8,
    };
  },
};

const NO_DATABASE: Readiness = {
  ready: false,
  draining: false,
  database: 'not created yet: nameplate service start creates it',
  migrations: 'unknown',
  backlog: null,
  certificate_left_s: null,
};

async function askDatabase(config: ServiceConfig, log: Log): Promise<Readiness> {
  // Outside nodes may not read these tables.
  if (isOutside(config.roles))
    return { ...NO_DATABASE, ready: true, database: NOT_USED, migrations: NOT_USED };
  if (config.databaseUrl === null && !hasEmbeddedDatabase(config.dataDir)) return NO_DATABASE;
  const database = await openDatabase(config, log);
  try {
    return await readReadiness({ store: database.store, clock: systemClock }, false);
  } finally {
    await database.close();
  }
}

function stateOf({ ready, draining, database, problems = [] }: ReportedState): string {
  if (ready) return 'ready';
  if (draining) return 'draining';
  return `not ready: ${printable(problems.length === 0 ? database : problems.join('; '))}`;
}

type ShownProcess = NonNullable<ReportedState['processes']>[number];

function processField({ name, pid, state, restarts }: ShownProcess): readonly [string, string] {
  const ofPid = pid === null ? '' : `, pid ${pid}`;
  return [`process ${printable(name)}`, `${printable(state)}${ofPid}, restarted ${restarts} times`];
}

function engineField({ name, version, lacks }: EdgeEngineState): readonly [string, string] {
  const what = version === null ? 'built in' : `${printable(name)} ${printable(version)}`;
  return ['edge engine', lacks.length === 0 ? what : `${what}, without ${printable(lacks.join(', '))}`];
}

function replicaField({ hostnames, bytes, age_s, unreadable }: ReplicaState): readonly [string, string] {
  const size = `${hostnames} hostnames, ${Math.ceil(bytes / 1e6)} MB, ${age_s} s old`;
  return ['edge replica', unreadable === 0 ? size : `${size}; ${unreadable} values cannot be opened`];
}

function delegationField({ zone, problems }: CheckedDelegation): readonly [string, string] {
  const found = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return [`zone ${zone}`, problems.length === 0 ? 'delegated to this service' : found];
}

function delegationLines(delegations: readonly CheckedDelegation[]): string[] {
  return delegations.flatMap(({ zone, problems }) => [
    ...(problems.length === 0 ? [] : [`The delegation of ${zone}:`]),
    ...problems.flatMap(({ problem, fix }) => [`  ${printable(problem)}`, `    ${printable(fix)}`]),
  ]);
}

function differenceLines(differences: readonly SettingDifference[]): string[] {
  if (differences.length === 0) return [];
  return [
    "This shell's settings differ from the node's:",
    ...differences.map(
      ({ setting, here, there }) =>
        `  ${setting} is ${here || 'not set'} here but ${printable(there) || 'not set'} on the node`,
    ),
  ];
}

function lateness(due: number | undefined, lateMs = 0): string {
  if (due === undefined) return 'unknown';
  return due === 0 ? '0' : `${counted(due)}, the oldest ${Math.round(lateMs / 1000)} s late`;
}

/** Returns a count for display. The database stops counting at `SCRAPED_MAX`, so that counting a large backlog is not slow. */
function counted(count: number): string {
  return count < SCRAPED_MAX ? `${count}` : `${count} or more`;
}
