import type { ServiceConfig } from '../config.ts';
import type { AdminParts } from '../health/admin-server.ts';
import { askNode } from '../health/ask-node.ts';
import type { NodeState } from '../health/readiness.ts';
import { localUrlOf } from '../listening.ts';
import { agreedSettings } from '../settings/agreed-settings.ts';
import { configurationWarnings } from '../settings/configuration-warnings.ts';
import type { ShownProcess, SupervisedProcess } from './supervised-process.ts';

/** A process that does not answer `/healthz` within this time hangs, because the answer depends only on the process itself. */
const HANGS_MS = 1_000;

/**
 * Creates the health checks of a node with several processes. `/readyz` returns the state of the process with the API or the worker. On a
 * node without these roles, it returns the state of a ready edge process. `/readyz/edge` depends only on the edge processes.
 * @param other the process with all roles except the edge; null if the node has only the edge.
 */
export function createProcessHealth(
  other: SupervisedProcess | null,
  edges: readonly SupervisedProcess[],
  { config, isDraining }: { config: ServiceConfig; isDraining: () => boolean },
): Pick<AdminParts, 'readiness' | 'edgeReady' | 'dnsReady'> {
  const all = other === null ? edges : [other, ...edges];
  // A process with only the role `dns` cannot report the state of the node, because it does not check the database.
  const hasStore = config.roles.some((role) => role === 'api' || role === 'worker');
  const speakers = hasStore ? all.slice(0, 1) : edges;
  return {
    async readiness() {
      const processes = await Promise.all(all.map(checkProcess));
      const isUp = (each: SupervisedProcess) => processes[all.indexOf(each)]?.state === 'ready';
      const [states, [edge]] = await Promise.all([
        Promise.all(speakers.filter(isUp).map(stateOf)),
        Promise.all(edges.filter(isUp).slice(0, 1).map(stateOf)),
      ]);
      const reported = states.find((state) => state?.ready) ?? states.find((state) => state !== null);
      const silent = processes.filter((_, index) => speakers.some((each) => each === all[index]));
      const state = reported ?? noState(config, silent);
      const draining = isDraining();
      return {
        ...state,
        // The settings of the edge processes lack the secrets of the other processes.
        configuration_warnings: configurationWarnings(config),
        settings: agreedSettings(config),
        edge_engine: edge?.edge_engine ?? null,
        replica: edge?.replica ?? null,
        edge_http_url: edge?.edge_http_url ?? null,
        ready: state.ready && !draining,
        draining,
        processes,
      };
    },
    async edgeReady() {
      const notes = (await Promise.all(edges.map(noteOf))).filter((note) => note !== null);
      // Ready if at least one edge process works: all accept from one socket, so the working processes serve all new visitors.
      return { ready: !isDraining() && notes.length < edges.length, notes };
    },
    async dnsReady() {
      const answer = other === null ? null : await readFrom(other, '/readyz/dns', HANGS_MS);
      return { ready: answer !== null && !isDraining() };
    },
  };
}

/** Returns the state of a process. A process that hangs is `unresponsive`. */
export async function checkProcess(process: SupervisedProcess): Promise<ShownProcess> {
  const { shown } = process;
  if (shown.state !== 'ready' || (await readFrom(process, '/healthz', HANGS_MS)) !== null) return shown;
  return { ...shown, state: 'unresponsive' };
}

/** Returns a line that says why an edge process does not work, or null if it works. */
async function noteOf(edge: SupervisedProcess): Promise<string | null> {
  const { name, state } = await checkProcess(edge);
  if (state !== 'ready') return `${name} is ${state}`;
  return (await readFrom(edge, '/readyz/edge', HANGS_MS)) === null ? `${name} is not ready` : null;
}

/**
 * Sends a request to the admin address of a process.
 *
 * @returns the body of the response; null if there is no successful response within `timeoutMs`.
 */
export async function readFrom(
  { addresses }: SupervisedProcess,
  path: string,
  timeoutMs: number,
): Promise<string | null> {
  if (addresses === null) return null;
  try {
    const url = `${localUrlOf(addresses.admin)}${path}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    return response.ok ? text : null;
  } catch {
    return null; // The caller reports that the process does not respond.
  }
}

const stateOf = async ({ addresses }: SupervisedProcess) =>
  addresses === null ? null : askNode(localUrlOf(addresses.admin));

function noState(config: ServiceConfig, speakers: readonly ShownProcess[]): NodeState {
  const named = speakers.map(({ name, state }) => `${name} (${state})`);
  return {
    ready: false,
    draining: false,
    database: `unknown: no report from ${named.join(', ')}`,
    migrations: 'unknown',
    backlog: null,
    certificate_left_s: null,
    resolvers: 'none answers',
    checks: { clock: 'unknown', keys: 'unknown', writes: 'unknown' },
    configuration_warnings: configurationWarnings(config),
    settings: agreedSettings(config),
    edge_engine: null,
    replica: null,
    edge_http_url: null,
  };
}
