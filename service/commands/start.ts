import cluster from 'node:cluster';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { handleEscapedErrors } from '../../shared/adapters/escaped-errors.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { CommandCall, CommandResult, ServiceCommand } from '../command.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import { createJsonLog } from '../health/json-log.ts';
import { settingTextOf, urlOf } from '../listening.ts';
import { startNode } from '../node.ts';
import { startOutsideNode } from '../outside-node.ts';
import {
  type NodeOfProcesses,
  type StartProcessesOptions,
  startProcesses,
} from '../processes/start-processes.ts';
import type { ProcessMessage } from '../processes/supervised-process.ts';
import { type ConfigurationWarning, configurationWarnings } from '../settings/configuration-warnings.ts';
import { isOutside } from '../settings/node-roles.ts';
import { CommandError } from './operator/command-error.ts';
import { nextCommands } from './operator/next-commands.ts';

export const start: ServiceCommand = {
  description:
    'Starts a node of the hosted service in the roles from --role or NAMEPLATE_ROLES, by default api, worker and edge. On SIGTERM or Ctrl-C the node accepts no new work, finishes running requests and jobs, then stops. Settings come from the environment. Without DATABASE_URL, the node runs and migrates an embedded Postgres in NAMEPLATE_DATA_DIR. A node with only the role dns needs no database. Logs are JSON lines on standard error.',
  examples: [
    'service start',
    'service start --role worker',
    'service start --role api,edge --json',
    'service start --role dns',
  ],
  flags: {
    role: {
      summary: 'One or more of api, worker, edge, dns, relay, separated by commas',
      kind: 'text',
      helpValue: 'api,worker,edge',
    },
  },
  runsUntilStopped: true,
  async run(call) {
    // If the parent process is lost, this process drains as after SIGTERM (`bin/nameplate.js`). By default, Node would end it immediately.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    const { role } = call.flags;
    const env = role === undefined ? call.env : { ...call.env, NAMEPLATE_ROLES: String(role) };
    const config = readConfig(env);
    const log = createJsonLog(config.logLevel, call.logTo);
    const node = await startListening(config, { env, log, stopped: call.stopped });
    return {
      ...describeNode(node, config, call.env),
      afterOutput: () => runUntilStopped(node, config, log, call),
    };
  },
};

/** The functions that a node with one process and a node with several processes have in common. */
type StartedNode = Pick<NodeOfProcesses, 'roles' | 'addresses' | 'onContained' | 'stop'> &
  Partial<Pick<NodeOfProcesses, 'failed'>>;

/** Runs a node until a signal or a fatal error stops it. @throws CommandError if an error stopped it. */
async function runUntilStopped(
  node: StartedNode,
  config: ServiceConfig,
  log: Log,
  call: CommandCall,
): Promise<void> {
  const escaped = Promise.withResolvers<CommandError>();
  const restoreHandlers = handleEscapedErrors({
    log,
    onContained: node.onContained,
    onFatal: (error) => escaped.resolve(escapedError(error)),
  });
  tellParent({ kind: 'listening', addresses: node.addresses });
  const failure = await Promise.race([
    call.stopped.then(() => null),
    escaped.promise,
    ...(node.failed === undefined ? [] : [node.failed]),
  ]);
  tellParent({ kind: 'draining' });
  if (failure === null)
    call.note('Stopping after running requests have finished. Press Ctrl-C again to stop at once.');
  // The timer is unreferenced, so that it ends the process only if the process cannot end by itself.
  else setTimeout(() => process.exit(1), config.drainDelayMs + STOP_MS_MAX).unref();
  try {
    // If the parent process is lost, a supervisor starts the node again. A closed channel to the parent shows the loss.
    await node.stop({ leavesNginx: failure !== null || process.connected === false });
  } finally {
    restoreHandlers();
  }
  if (failure !== null) throw failure;
}

/** The time that a node has to stop after an uncaught error, in addition to the drain delay. */
const STOP_MS_MAX = 18_000;

function escapedError(error: unknown): CommandError {
  return new CommandError(
    'process_failed',
    `The node stopped, because no code handled an error: ${error instanceof Error ? error.message : error}`,
    'Start it again, and report the log line with the error.',
    error,
  );
}

/** Sends a message to the parent process, if there is one. Ignores a lost parent, because this process then ends too. */
function tellParent(message: ProcessMessage): void {
  if (cluster.worker?.isConnected()) cluster.worker.send(message, undefined, () => undefined);
}

async function startListening(config: ServiceConfig, options: StartProcessesOptions): Promise<StartedNode> {
  const { log, stopped } = options;
  try {
    const isParent = cluster.isPrimary && config.edgeProcesses > 1 && config.roles.includes('edge');
    if (isParent) return await startProcesses(config, options);
    if (!isOutside(config.roles)) return await startNode(config, log);
    const late = stopped.then(() => delay(START_MS_MAX, null, { ref: false }));
    return (await Promise.race([startOutsideNode(config, log), late])) ?? endStart(log);
  } catch (error) {
    const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
    if (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL' && code !== 'EACCES') throw error;
    if (port === undefined) throw error;
    if (code === 'EADDRINUSE') tellParent({ kind: 'port_in_use' });
    const setting = settingOf(config, port);
    throw new CommandError(
      'port_in_use',
      `${setting}: ${address}:${port} is not available to listen on (${code}).`,
      `Stop the program that listens there, or set ${setting} to another host:port.`,
      error,
    );
  }
}

/** Ends the process before the node has started. An edge without a replica waits for its first copy for as long as the database is away. */
function endStart(log: Log): never {
  log.info({}, 'the node was stopped before it had started');
  return process.exit();
}

/** The time that a node has to start after a signal to stop. A node that starts in this time ends its connections and nginx. */
const START_MS_MAX = 2_000;

function settingOf({ api, edge, edgeHttp, dns }: ServiceConfig, port: number): string {
  if (dns?.listen.some((address) => address.port === port)) return 'NAMEPLATE_DNS_LISTEN';
  if (port === api.port) return 'NAMEPLATE_API_LISTEN';
  if (port === edge.port) return 'NAMEPLATE_EDGE_LISTEN';
  return port === edgeHttp.port ? 'NAMEPLATE_EDGE_HTTP_LISTEN' : 'NAMEPLATE_ADMIN_LISTEN';
}

function describeNode(
  { addresses, roles }: StartedNode,
  config: ServiceConfig,
  env: NodeJS.ProcessEnv,
): Pick<CommandResult, 'document' | 'title' | 'view' | 'after'> {
  const { settings } = config;
  const { api, edge, edgeHttp, dns, admin } = addresses;
  const hasNone = config.databaseUrl === null && isOutside(config.roles);
  const embeddedIn = config.databaseUrl === null && !hasNone ? path.resolve(config.dataDir) : null;
  const warnings = configurationWarnings(config);
  const document = {
    pid: process.pid,
    roles,
    base_url: settings.baseUrl,
    api_url: api === undefined ? null : urlOf(api),
    edge_url: edge === undefined ? null : urlOf(edge, 'https'),
    edge_http_url: edgeHttp === undefined ? null : urlOf(edgeHttp),
    admin_url: urlOf(admin),
    dns_listen: dns?.map(settingTextOf) ?? null,
    database: hasNone ? null : config.databaseUrl === null ? 'embedded' : 'DATABASE_URL',
    data_dir: embeddedIn,
    configuration_warnings: warnings,
  };
  const fields: [string, unknown][] = [
    ['roles', roles.join(', ')],
    ...(api === undefined ? [] : [['API', `${urlOf(api)}/v1`] as [string, unknown]]),
    ...(api === undefined ? [] : [['docs', `${urlOf(api)}/docs`] as [string, unknown]]),
    ...(edge === undefined ? [] : [['edge', urlOf(edge, 'https')] as [string, unknown]]),
    ...(edgeHttp === undefined
      ? []
      : [['test domains', `<id>.${settings.sandboxZone} at ${urlOf(edgeHttp)}`] as [string, unknown]]),
    ...(dns === undefined ? [] : [['DNS', dns.map(settingTextOf).join(', ')] as [string, unknown]]),
    ['health', `${urlOf(admin)}/healthz and /readyz`],
    ['metrics', `${urlOf(admin)}/metrics`],
    ...(hasNone
      ? []
      : [
          ['database', embeddedIn === null ? 'from DATABASE_URL' : `embedded Postgres in ${embeddedIn}`] as [
            string,
            unknown,
          ],
        ]),
  ];
  return {
    document,
    title: `The service is ready${api === undefined ? '' : ` at ${urlOf(api)}`}`,
    view: { fields },
    after: [...warningLines(warnings), ...nextCommands(addresses, env, roles)],
  };
}

/** Returns lines that list the configuration warnings, to print above the commands to try next. */
function warningLines(configurationWarnings: readonly ConfigurationWarning[]): string[] {
  if (configurationWarnings.length === 0) return [];
  const lines = configurationWarnings.map(({ setting, cannot }) => `  ${cannot} (${setting})`);
  return ['With these settings, this node cannot:', ...lines, ''];
}
