import { localUrlOf } from '../address-url.ts';
import type { ServiceConfig } from '../config.ts';
import type { EdgeEngineState } from '../edge/engine.ts';
import { askNode, type ReportedState } from '../health/ask-node.ts';
import type { NodeState } from '../health/readiness.ts';
import { agreedSettings } from '../settings/agreed-settings.ts';
import { configurationWarnings } from '../settings/configuration-warnings.ts';
import type { ShownProcess, SupervisedProcess } from './supervised-process.ts';

export interface ReadProcesses {
  all: readonly SupervisedProcess[];
  /** The process with all roles except the edge; null if the node has only the edge. */
  other: SupervisedProcess | null;
  edges: readonly SupervisedProcess[];
  config: ServiceConfig;
  isDraining: () => boolean;
}

/**
 * Returns the JSON of `/readyz` for a node of several processes, with a list of all of them. The state is that of the process with the
 * API. If the node has no API, it is that of a ready edge process.
 */
export async function readProcesses({
  all,
  other,
  edges,
  config,
  isDraining,
}: ReadProcesses): Promise<(NodeState | ReportedState) & OfProcesses> {
  const draining = isDraining();
  const asked = await Promise.all((other === null ? edges : [other]).map(stateOf));
  const reported = asked.find((state) => state?.ready) ?? asked.find((state) => state !== null);
  const state = reported ?? noState(config);
  const ready = state.ready && !draining;
  const engine: EdgeEngineState | null = state.edge_engine ?? (other === null ? null : await engineOf(edges));
  return { ...state, edge_engine: engine, ready, draining, processes: all.map(({ shown }) => shown) };
}

/** What only a node of several processes reports, or reports from several of them. */
interface OfProcesses {
  edge_engine: EdgeEngineState | null;
  processes: ShownProcess[];
}

async function engineOf(edges: readonly SupervisedProcess[]): Promise<EdgeEngineState | null> {
  const first = edges.find(({ ready }) => ready);
  return (first && (await stateOf(first))?.edge_engine) ?? null;
}

async function stateOf({ addresses }: SupervisedProcess): Promise<ReportedState | null> {
  return addresses === null ? null : askNode(localUrlOf(addresses.admin));
}

function noState(config: ServiceConfig): NodeState {
  return {
    ready: false,
    draining: false,
    database: 'unknown: no process of this node responds',
    migrations: 'unknown',
    backlog: null,
    certificate_left_s: null,
    resolvers: 'none answers',
    checks: { clock: 'unknown', keys: 'unknown', writes: 'unknown' },
    configuration_warnings: configurationWarnings(config),
    settings: agreedSettings(config),
    edge_engine: null,
    edge_http_url: config.roles.includes('edge') ? localUrlOf(config.edgeHttp) : null,
  };
}
