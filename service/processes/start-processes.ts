import type { Log } from '../../shared/ports/log.ts';
import { settingTextOf } from '../address-url.ts';
import type { ServiceConfig } from '../config.ts';
import { isDnsNode } from '../dns/start-dns-node.ts';
import { createAdminServer } from '../health/admin-server.ts';
import { closeServer, listen } from '../listening.ts';
import { DRAIN_MS, type ServiceNode } from '../node.ts';
import { CommandError } from '../operator/command-error.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { readProcesses } from './process-readiness.ts';
import { SupervisedProcess } from './supervised-process.ts';

/** A node with several processes. This process starts, watches and replaces them, and itself serves only health checks and metrics. */
export interface NodeOfProcesses extends Pick<ServiceNode, 'roles' | 'addresses' | 'onContained' | 'stop'> {
  /** Resolves with an error when no process of the node can start any more. */
  failed: Promise<CommandError>;
}

/** Time for database connections and the process to close after visitor connections have closed. */
const CLOSING_MS = 8_000;

/**
 * Starts `edgeProcesses` edge processes, which share their ports, and one process for the other roles.
 * @param env the environment of this process. Its processes read their settings from it.
 * @throws CommandError `process_failed` if a process does not start. No process is then left running.
 */
export async function startProcesses(
  config: ServiceConfig,
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<NodeOfProcesses> {
  const metrics = createProcessMetrics();
  const failed = Promise.withResolvers<CommandError>();
  const addresses: ServiceNode['addresses'] = { admin: config.admin };
  const graceMs = config.drainDelayMs + DRAIN_MS + CLOSING_MS;
  const otherRoles = config.roles.filter((role) => role !== 'edge');

  const supervise = (name: string, settings: NodeJS.ProcessEnv, sharesPorts: boolean): SupervisedProcess =>
    new SupervisedProcess({
      name,
      env: () => ({ ...env, ...OF_EVERY_PROCESS, ...settings, ...listenSettings(addresses) }),
      sharesPorts,
      graceMs,
      log,
      onLost: metrics.lost,
      onFailing() {
        if (all.some(({ ready }) => ready)) return;
        const error = noneStarts(name);
        log.error({ error }, 'the node gives up');
        failed.resolve(error);
      },
    });
  // nginx has workers of its own, which one control half feeds.
  const [count, workers] =
    config.edgeEngine === 'nginx' ? [1, config.edgeProcesses] : [config.edgeProcesses, 1];
  const ofEdge = {
    NAMEPLATE_ROLES: 'edge',
    NAMEPLATE_EDGE_REUSE_PORT: 'true',
    NAMEPLATE_EDGE_PROCESSES: String(workers),
  };
  const edges = Array.from({ length: count }, (_, index) => supervise(`edge-${index + 1}`, ofEdge, true));
  const other =
    otherRoles.length === 0
      ? null
      : supervise(otherRoles.join('-'), { NAMEPLATE_ROLES: otherRoles.join(',') }, false);
  const all = other === null ? edges : [other, ...edges];
  for (const { shown } of all) metrics.expect(shown.name);

  let draining = false;
  // A process with only the role `dns` knows nothing about the database, so it does not represent the node.
  const speaker = isDnsNode({ roles: otherRoles }) ? null : other;
  const processes = { all, other: speaker, edges, config, isDraining: () => draining };
  const admin = createAdminServer({
    readiness: () => readProcesses(processes),
    edgeReady: () => !draining && edges.some(({ ready }) => ready),
    dnsReady: () => !draining && otherRoles.includes('dns') && other?.ready === true,
    metrics: () => metrics.text(all),
  });

  async function stop(): Promise<void> {
    draining = true;
    log.info({ drainDelayMs: config.drainDelayMs }, 'the node drains');
    await Promise.all(all.map((each) => each.stop()));
    await closeServer(admin, 0);
    log.info({}, 'the node has stopped');
  }

  try {
    addresses.admin = await listen(admin, config.admin);
    const [first, ...others] = edges;
    // If a port is 0, the system chooses one for the first process, and the others get the same.
    const found = await Promise.all([first?.start(), other?.start()]);
    for (const listening of found) Object.assign(addresses, withoutAdmin(listening));
    await Promise.all(others.map((each) => each.start()));
  } catch (error) {
    await stop();
    throw startFailed(error);
  }
  log.info(
    { roles: config.roles, addresses, processes: all.map(({ shown }) => shown) },
    'the node has started',
  );
  return { roles: config.roles, addresses, onContained: metrics.contained, stop, failed: failed.promise };
}

/** Settings of every process. Each gets its own admin address, which the parent reads. */
const OF_EVERY_PROCESS = { NAMEPLATE_EDGE_PROCESSES: '1', NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0' };

function listenSettings({ api, edge, edgeHttp, dns }: ServiceNode['addresses']): NodeJS.ProcessEnv {
  return {
    ...(api !== undefined && { NAMEPLATE_API_LISTEN: settingTextOf(api) }),
    ...(edge !== undefined && { NAMEPLATE_EDGE_LISTEN: settingTextOf(edge) }),
    ...(edgeHttp !== undefined && { NAMEPLATE_EDGE_HTTP_LISTEN: settingTextOf(edgeHttp) }),
    ...(dns !== undefined && { NAMEPLATE_DNS_LISTEN: dns.map(settingTextOf).join(',') }),
  };
}

function withoutAdmin(listening: ServiceNode['addresses'] | undefined): Partial<ServiceNode['addresses']> {
  const { admin: _, ...rest } = { ...listening };
  return rest;
}

function startFailed(error: unknown): unknown {
  // An error with a code comes from this process's own admin listener, and is reported as on any node.
  if (!(error instanceof Error) || 'code' in error) return error;
  return new CommandError(
    'process_failed',
    `A process of the node did not start: ${error.message}.`,
    'Its error is printed above. Fix the cause, then start the node again.',
    error,
  );
}

function noneStarts(name: string): CommandError {
  return new CommandError(
    'process_failed',
    `No process of the node is running: ${name} failed to start too often.`,
    'The log above shows its errors. Fix their cause, then start the node again.',
  );
}
