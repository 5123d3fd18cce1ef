import { STATUSES, type Status } from './status.ts';
import { TRANSITIONS, type Transition, type TriggerName } from './transitions.ts';

function endOf(to: Status | 'previous', beforeHold: Status | null): Status {
  return to === 'previous' ? (beforeHold ?? 'pending_dns') : to;
}

/**
 * Returns the state that a trigger leads to.
 * @param hasCertificate whether the domain has a valid certificate, which two rows of `TRANSITIONS` require.
 */
export function targetOf(
  trigger: TriggerName,
  from: Status,
  beforeHold: Status | null,
  hasCertificate: boolean,
): Status {
  const condition = hasCertificate ? 'certificate_valid' : 'certificate_invalid';
  const row = TRANSITIONS.find(
    ({ on, from: starts, when }) =>
      on === trigger && starts.includes(from) && (when === undefined || when === condition),
  );
  return row === undefined ? from : endOf(row.to, beforeHold);
}

/** Renders the state machine as a Mermaid diagram. An edge is labelled `trigger [condition] / event`. */
export function stateDiagram(): string {
  return [
    'stateDiagram-v2',
    ...GROUPS.map(({ id, title }) => `state "${title}" as ${id}`),
    ...labelledEdges().map(({ from, to, label }) => `${from} --> ${to}: ${label}`),
    'deleted --> [*]',
  ].join('\n  ');
}

export interface LabelledEdge {
  from: string;
  to: string;
  /**
   * The trigger, its condition and the event: `trigger [condition] / event`. Triggers with the same outcome share one edge: `a or b /
   * event`.
   */
  label: string;
}

/** Returns the edges of the diagram as rows of a table. Each end of an edge is a status, a phrase for several statuses, or empty. */
export function stateTable(): LabelledEdge[] {
  const words = new Map([[START, ''], ...GROUPS.map(({ id, title }) => [id, title] as const)]);
  return labelledEdges().map(({ from, to, label }) => ({
    from: words.get(from) ?? from,
    to: words.get(to) ?? to,
    label,
  }));
}

/** Merges edges that differ only in their trigger. */
function labelledEdges(): LabelledEdge[] {
  const edges = TRANSITIONS.flatMap(edgesOf);
  const ordered = [START, ...STATUSES, ...GROUPS.map(({ id }) => id)].flatMap((node) =>
    edges.filter(({ from }) => from === node),
  );
  const alike = Map.groupBy(ordered, ({ from, to, outcome }) => `${from} ${to} ${outcome}`);
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { from, to, outcome } = first;
    return [{ from, to, label: same.map(({ on }) => on).join(' or ') + outcome }];
  });
}

interface Edge {
  from: string;
  to: string;
  on: TriggerName;
  /** The part of the label after the trigger: the condition and the event. */
  outcome: string;
}

/** Mermaid's name for the start and the end. */
const START = '[*]';

const NOT_DELETED = STATUSES.filter((status) => status !== 'deleted');

/** Sets of statuses that are drawn as one node, so that an edge from each of them is drawn only once. */
const GROUPS: readonly { id: string; title: string; statuses: readonly Status[] }[] = [
  { id: 'any', title: 'any status', statuses: NOT_DELETED },
  {
    id: 'any_but_held',
    title: 'any status but held',
    statuses: NOT_DELETED.filter((status) => status !== 'held'),
  },
];

function edgesOf({ from, on, to, when, emits }: Transition): Edge[] {
  const condition = when === undefined ? '' : ` [${when.replaceAll('_', ' ')}]`;
  const outcome = condition + (emits === null ? '' : ` / ${emits}`);
  return nodesOf(from).map((node) => ({
    from: node,
    to: to === 'previous' ? 'any_but_held' : to,
    on,
    outcome: to === 'previous' ? ` [the status before]${outcome}` : outcome,
  }));
}

function nodesOf(statuses: Transition['from']): string[] {
  const group = GROUPS.find(
    (each) =>
      each.statuses.length === statuses.length && each.statuses.every((status) => statuses.includes(status)),
  );
  return group === undefined ? statuses.map((status) => status ?? START) : [group.id];
}
