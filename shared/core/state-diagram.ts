import { STATUSES, type Status } from './status.ts';
import { TRANSITIONS, type Transition } from './transitions.ts';

/** The state machine as a Mermaid diagram, made from its table. An edge says `trigger [condition] / event`. */
export function stateDiagram(): string {
  const edges = TRANSITIONS.flatMap(edgesOf).toSorted(
    (a, b) => NODES.indexOf(a.from) - NODES.indexOf(b.from),
  );
  const lines = Map.groupBy(edges, ({ from, to, then }) => [`${from} --> ${to}: `, then].join(TRIGGERS_HERE));
  const wide = GROUPS.map(({ node, but }) => `state "any status but ${but.join(' and ')}" as ${node}`);
  return [
    'stateDiagram-v2',
    ...wide,
    ...Array.from(lines, ([line, same]) =>
      line.replace(TRIGGERS_HERE, same.map(({ on }) => on).join(' or ')),
    ),
    'deleted --> [*]',
  ].join('\n  ');
}
