import cluster from 'node:cluster';
import path from 'node:path';
import { packageFolder } from '../../shared/adapters/package-folder.ts';
import type { Log } from '../../shared/ports/system.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import type { ServiceConfig } from '../config.ts';
import { createAdminServer } from '../health/admin-server.ts';
import { closeServer, listen, settingTextOf } from '../listening.ts';
import { DRAIN_MS, type ServiceNode } from '../node.ts';
import { edgeRingOf, ringText } from '../settings/key-rings.ts';
import { createProcessHealth } from './process-health.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { FAILED_STARTS_MAX } from './restart-policy.ts';
import { createSupervisedProcess, type SupervisedProcess } from './supervised-process.ts';

/**
 * A node with several processes. This process, the parent, starts, watches and replaces them. The parent itself serves only health checks
 * and metrics.
 */
export interface NodeOfProcesses extends Pick<ServiceNode, 'roles' | 'addresses' | 'onContained' | 'stop'> {
  /** Resolves with an error when the node gives up, because its processes cannot start. */
  failed: Promise<CommandError>;
}

export interface StartProcessesOptions {
  /** The environment of the parent, from which the processes of the node read their settings. */
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Resolves when the operator stops the node, even while a process is still starting. */
  stopped: Promise<void>;
}

/** The time that a process has to close its database connections and to exit, after it has closed visitors' connections. */
const CLOSING_MS = 8_000;

/** The processes of a killed parent close their ports within this time after the drain delay. */
const PORTS_CLOSING_MS = 5_000;

/** Secrets that only other processes use, with the settings that must not be set without them. */
const SECRETS_OF_OTHERS = [
  'NAMEPLATE_ENCRYPTION_KEYS',
  'SMTP_URL',
  'NAMEPLATE_BILLING',
  'NAMEPLATE_STRIPE_SECRET_KEY',
  'NAMEPLATE_STRIPE_WEBHOOK_SECRET',
  'NAMEPLATE_OIDC_ISSUER',
  'NAMEPLATE_OIDC_CLIENT_ID',
  'NAMEPLATE_OIDC_CLIENT_SECRET',
  'NAMEPLATE_OIDC_DOMAINS',
  'NAMEPLATE_DOMAIN_CONNECT_ID',
  'NAMEPLATE_DOMAIN_CONNECT_KEY_FILE',
];

/**
 * Starts `edgeProcesses` edge processes, which accept from one socket, and one process for the other roles. Resolves once each process
 * listens or has failed to start, and at least one listens. Also resolves if `stopped` resolves. A failed process is started again. A port
 * in use is not treated as a failed start at first, because processes of a killed parent need time to close their ports.
 * @throws CommandError `process_failed` if every process fails to start. No process is then left running.
 */
export async function startProcesses(
  config: ServiceConfig,
  { env, log, stopped }: StartProcessesOptions,
): Promise<NodeOfProcesses> {
  // With `SCHED_NONE`, the kernel gives each connection to a process that accepts connections, so a process that hangs gets no connections.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: path.join(packageFolder(), 'bin', 'nameplate.js'),
    args: ['service', 'start'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const metrics = createProcessMetrics();
  const failed = Promise.withResolvers<CommandError>();
  const graceMs = config.drainDelayMs + DRAIN_MS + CLOSING_MS;
  const otherRoles = config.roles.filter((role) => role !== 'edge');
  const isNginx = config.edgeEngine === 'nginx';

  // A process of the edge accepts connections from the internet, so it gets no secret that it does not need.
  const edgeEnv = {
    ...Object.fromEntries(SECRETS_OF_OTHERS.map((name) => [name, ''])),
    ...(config.edgeSource === 'nats' && { DATABASE_URL: '', DATABASE_LISTEN_URL: '' }),
    NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(config)),
    NAMEPLATE_INNER_URL: config.innerUrl,
  };

  const supervise = (name: string, roles: string, isEdge: boolean): SupervisedProcess => {
    metrics.expect(name);
    return createSupervisedProcess({
      name,
      env: (last) => ({
        ...env,
        ...(isEdge && edgeEnv),
        NAMEPLATE_ROLES: roles,
        // The process chooses a port and reports it to the parent. Only the parent connects to this address.
        NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
        // If a port is 0, the cluster gives all edge processes of the built-in engine the same port. Any other process gets the ports that
        // its predecessor had.
        ...(last !== null && (isNginx || !isEdge) && listenSettings(last)),
      }),
      sharesPorts: isEdge,
      graceMs,
      portsTakenMs: config.drainDelayMs + PORTS_CLOSING_MS,
      log,
      onLost: metrics.lost,
      onFailedStart: giveUpIfHopeless,
    });
  };
  // With nginx, one process is enough, because nginx has several workers.
  const edges = Array.from({ length: isNginx ? 1 : config.edgeProcesses }, (_, index) =>
    supervise(`edge-${index + 1}`, 'edge', true),
  );
  const other = otherRoles.length === 0 ? null : supervise(otherRoles.join('-'), otherRoles.join(','), false);
  const all = other === null ? edges : [other, ...edges];

  /**
   * Makes the node give up if every process fails to start, and one has failed too often. If no process has ever listened, one failed start
   * of each is enough, because the settings are probably wrong.
   */
  function giveUpIfHopeless(name: string, how: string): void {
    if (all.some(({ failedStarts, addresses }) => failedStarts === 0 || addresses !== null)) return;
    const startsMax = all.some(({ hasListened }) => hasListened) ? FAILED_STARTS_MAX : 1;
    if (all.every(({ failedStarts }) => failedStarts < startsMax)) return;
    const error = new CommandError(
      'process_failed',
      `No process of the node starts: ${name} ended with ${how} before it listened.`,
      'The log above shows why. Fix the cause, then start the node again.',
    );
    log.error({ error }, 'the node gives up');
    failed.resolve(error);
  }

  let draining = false;
  const admin = createAdminServer({
    ...createProcessHealth(other, edges, { config, isDraining: () => draining }),
    metrics: () => metrics.text(all),
  });

  async function stop({ leavesNginx } = { leavesNginx: false }): Promise<void> {
    draining = true;
    log.info({ drainDelayMs: config.drainDelayMs }, 'the node drains');
    // Leave only nginx running. A built-in edge process that is still starting can end only while its channel is open.
    await Promise.all(all.map((each) => each.stop(leavesNginx && isNginx)));
    await closeServer(admin, 0);
    log.info({}, 'the node has stopped');
  }

  const adminAddress = await listen(admin, config.admin);
  const tried = Promise.all(all.map((each) => each.start()));
  const error = await Promise.race([failed.promise, Promise.race([tried, stopped]).then(() => null)]);
  if (error !== null) {
    await stop({ leavesNginx: true });
    throw error;
  }
  const addresses = Object.assign({}, ...all.map((each) => each.addresses), { admin: adminAddress });
  log.info(
    { roles: config.roles, addresses, processes: all.map(({ shown }) => shown) },
    'the node has started',
  );
  return { roles: config.roles, addresses, onContained: metrics.contained, stop, failed: failed.promise };
}

function listenSettings({ api, edge, edgeHttp, dns }: ServiceNode['addresses']): NodeJS.ProcessEnv {
  return {
    ...(api !== undefined && { NAMEPLATE_API_LISTEN: settingTextOf(api) }),
    ...(edge !== undefined && { NAMEPLATE_EDGE_LISTEN: settingTextOf(edge) }),
    ...(edgeHttp !== undefined && { NAMEPLATE_EDGE_HTTP_LISTEN: settingTextOf(edgeHttp) }),
    ...(dns !== undefined && { NAMEPLATE_DNS_LISTEN: dns.map(settingTextOf).join(',') }),
  };
}
