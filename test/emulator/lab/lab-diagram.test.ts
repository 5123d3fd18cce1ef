import { expect, test } from 'vitest';
import {
  BOX,
  drawEdge,
  edgesAround,
  NARROW,
  targetOf,
  WIDE,
} from '../../../shared/core/domains/state-edges.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../../shared/core/domains/transitions.ts';

/** Tests that the diagram of the state machine is drawn from the table of transitions. */

test('the state diagram has an edge for every transition, but shows holds and deletions only while their trigger is focused', () => {
  for (const { from, to, on } of TRANSITIONS) {
    for (const status of from) {
      if (status === null || to === 'previous') continue;
      const aim = to === 'held' || to === 'deleted' ? to : null;
      const edge = edgesAround(status, null, aim).find((each) => each.from === status && each.to === to);
      expect(edge?.triggers, `${status} ${on}`).toContain(on);
    }
  }
  const drawn = edgesAround('active', null, null).map(({ to }) => to);
  expect(drawn).not.toContain('held');
  expect(drawn).not.toContain('deleted');
});

test('in the state diagram, a release returns to the status before the hold', () => {
  expect(edgesAround('held', 'active', null)).toContainEqual({
    from: 'held',
    to: 'active',
    triggers: ['release'],
  });
  expect(targetOf('release', 'held', 'active', false)).toBe('active');
});

test('in the state diagram, the target of a trigger can depend on whether the domain has a valid certificate', () => {
  expect(targetOf('dns_confirmed', 'dns_broken', null, true)).toBe('active');
  expect(targetOf('dns_confirmed', 'dns_broken', null, false)).toBe('issuing');
});

test.each([
  ['wide', WIDE],
  ['narrow', NARROW],
])(
  'in the %s state diagram, no states overlap or leave the picture, and every edge has a line',
  (_, layout) => {
    for (const status of STATUSES) {
      const { x, y } = layout.at[status];
      expect(x - BOX.width / 2).toBeGreaterThanOrEqual(0);
      expect(x + BOX.width / 2).toBeLessThanOrEqual(layout.width);
      expect(y + BOX.height / 2).toBeLessThanOrEqual(layout.height);
      const covered = STATUSES.filter((other) => {
        const [dx, dy] = [layout.at[other].x - x, layout.at[other].y - y];
        return other !== status && Math.abs(dx) < BOX.width && Math.abs(dy) < BOX.height;
      });
      expect(covered).toEqual([]);
      for (const aim of ['held', 'deleted'] as const) {
        for (const edge of edgesAround(status, 'active', aim)) {
          const { line, head } = drawEdge(edge, layout);
          expect(line, `${edge.from} to ${edge.to}`).toMatch(/^M[\d.-]+,[\d.-]+(?:L[\d.-]+,[\d.-]+)+$/);
          expect(head).not.toContain('NaN');
        }
      }
    }
  },
);
