import { STATUSES, type Status } from './status.ts';
import { TRANSITIONS, type Transition, type TriggerName } from './transitions.ts';

/** An edge between two states, with the triggers that cause it. */
export interface StateEdge {
  from: Status;
  to: Status;
  triggers: TriggerName[];
}

/**
 * States that can follow almost every other state. If all edges to them were drawn, they would hide the other edges. So only the edge from
 * the current state is drawn, and only for the focused trigger.
 */
const FROM_ANY: readonly Status[] = ['held', 'deleted'];

/**
 * Returns the edges of the state machine to draw around a state. Leaves out the edges to a state in `FROM_ANY`, except the edge from
 * `current` to `aim`.
 */
export function edgesAround(current: Status, beforeHold: Status | null, aim: Status | null): StateEdge[] {
  const ways = TRANSITIONS.flatMap(({ from, on, to }) =>
    from
      .filter((status) => status !== null)
      .map((status) => ({ from: status, on, to: endOf(to, beforeHold) })),
  ).filter(({ from, to }) => {
    if (FROM_ANY.includes(to)) return from === current && to === aim;
    return from !== 'held' || current === 'held';
  });
  return [...Map.groupBy(ways, ({ from, to }) => `${from} ${to}`).values()].flatMap((same) => {
    const [{ from, to } = { from: null, to: null }] = same;
    return from === null || to === null ? [] : [{ from, to, triggers: same.map(({ on }) => on) }];
  });
}

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

export interface DrawnEdge {
  /** The line of the arrow, as an SVG path. */
  line: string;
  /** The points of the polygon that is the head of the arrow. */
  head: string;
}

const GAP = 4;
const HEAD = { length: 9, width: 4.5 };
const SAMPLES = 120;

/** Draws a curve between two boxes, from border to border. Two edges in opposite directions bend away from each other. */
export function drawEdge({ from, to }: Pick<StateEdge, 'from' | 'to'>, layout: Layout): DrawnEdge {
  const [start, end] = [layout.at[from], layout.at[to]];
  if (from === to) return drawLoop(start);
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  const crosses = STATUSES.some(
    (other) => other !== from && other !== to && lies(layout.at[other], start, end),
  );
  const bend = crosses ? 0.36 * length : 18;
  const control = {
    x: (start.x + end.x) / 2 + (dy / length) * bend,
    y: (start.y + end.y) / 2 - (dx / length) * bend,
  };
  const points = Array.from({ length: SAMPLES + 1 }, (_, index) =>
    onCurve(start, control, end, index / SAMPLES),
  );
  const outside = points.filter((point) => !isIn(point, start) && !isIn(point, end));
  return toArrow(outside);
}

function drawLoop({ x, y }: Point): DrawnEdge {
  const top = y - BOX.height / 2 - GAP;
  const [start, end] = [
    { x: x + 22, y: top },
    { x: x - 22, y: top },
  ];
  const control = { x, y: top - 44 };
  return toArrow(
    Array.from({ length: SAMPLES + 1 }, (_, index) => onCurve(start, control, end, index / SAMPLES)),
  );
}

function toArrow(points: readonly Point[]): DrawnEdge {
  const tip = points.at(-1) ?? { x: 0, y: 0 };
  const neck = points.findLast((point) => Math.hypot(tip.x - point.x, tip.y - point.y) >= HEAD.length) ?? tip;
  const length = Math.hypot(tip.x - neck.x, tip.y - neck.y) || 1;
  const [x, y] = [((tip.y - neck.y) / length) * HEAD.width, ((neck.x - tip.x) / length) * HEAD.width];
  const shaft = points.slice(0, points.indexOf(neck) + 1);
  return {
    line: shaft.map((point, index) => `${index === 0 ? 'M' : 'L'}${text(point)}`).join(''),
    head: [tip, { x: neck.x + x, y: neck.y + y }, { x: neck.x - x, y: neck.y - y }].map(text).join(' '),
  };
}

function onCurve(start: Point, control: Point, end: Point, t: number): Point {
  const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
  return { x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y };
}

function isIn(point: Point, box: Point): boolean {
  return Math.abs(point.x - box.x) < BOX.width / 2 + GAP && Math.abs(point.y - box.y) < BOX.height / 2 + GAP;
}

/** Returns true if a box lies on the straight line between two points. */
function lies(box: Point, start: Point, end: Point): boolean {
  return Array.from({ length: 20 }, (_, index) => index / 20).some((t) =>
    isIn({ x: start.x + (end.x - start.x) * t, y: start.y + (end.y - start.y) * t }, box),
  );
}

function text({ x, y }: Point): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
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

export interface Point {
  x: number;
  y: number;
}

/** Positions of the states in a drawing of the state machine. The edges come from the table of transitions. */
export interface Layout {
  width: number;
  height: number;
  /** Center of each state's box. */
  at: Record<Status, Point>;
  /** Position of the caption that says that every other state leads to held and deleted. */
  caption: Point;
}

export const BOX = { width: 126, height: 38 };

/**
 * Layout for wide screens: the path to a live domain runs from left to right. Failures are below this path, and final states below the
 * failures.
 */
export const WIDE: Layout = {
  width: 800,
  height: 300,
  at: {
    pending_dns: { x: 75, y: 50 },
    verifying: { x: 285, y: 50 },
    issuing: { x: 510, y: 50 },
    active: { x: 725, y: 50 },
    expired: { x: 180, y: 165 },
    cert_failed: { x: 510, y: 165 },
    dns_broken: { x: 725, y: 165 },
    held: { x: 510, y: 262 },
    deleted: { x: 725, y: 262 },
  },
  caption: { x: 425, y: 267 },
};

/** Layout for phones: the path runs from top to bottom. */
export const NARROW: Layout = {
  width: 330,
  height: 462,
  at: {
    pending_dns: { x: 77, y: 40 },
    verifying: { x: 158, y: 124 },
    expired: { x: 253, y: 40 },
    issuing: { x: 77, y: 214 },
    cert_failed: { x: 253, y: 214 },
    active: { x: 77, y: 312 },
    dns_broken: { x: 253, y: 312 },
    held: { x: 77, y: 430 },
    deleted: { x: 253, y: 430 },
  },
  caption: { x: 165, y: 392 },
};
