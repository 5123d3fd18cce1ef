import { STATUSES, type Status } from './status.ts';
import { TRANSITIONS, type Transition, type TriggerName } from './transitions.ts';

/** The state machine as a Mermaid diagram, made from its table. An edge says `trigger [condition] / event`. */
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
  /** `trigger [condition] / event`; several triggers stand before one outcome. */
  label: string;
}

/** The edges of the diagram as rows for a reader: each end is a status or the words for several, empty for none. */
export function stateTable(): LabelledEdge[] {
  const words = new Map([[START, ''], ...GROUPS.map(({ id, title }) => [id, title] as const)]);
  return labelledEdges().map(({ from, to, label }) => ({
    from: words.get(from) ?? from,
    to: words.get(to) ?? to,
    label,
  }));
}

/** Edges that differ only by their trigger are one. */
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

/** The text with the diagram of now between its markers; a text without them stays as it is. */
export function withStateDiagram(text: string): string {
  const diagram = ['<!-- state-diagram -->', '```mermaid', stateDiagram(), '```', '<!-- /state-diagram -->'];
  return text.replace(/<!-- state-diagram -->.*?<!-- \/state-diagram -->/s, () => diagram.join('\n'));
}

interface Edge {
  from: string;
  to: string;
  on: TriggerName;
  /** What follows the trigger: the condition and the event. */
  outcome: string;
}

/** Mermaid's name of the start and of the end. */
const START = '[*]';

const NOT_DELETED = STATUSES.filter((status) => status !== 'deleted');

/** Drawn as one node, in place of an edge from each of their statuses. */
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
