import { describe, expect, test } from 'vitest';
import { stateDiagram } from '../../../shared/core/domains/state-edges.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../../shared/core/domains/transitions.ts';

describe('the state diagram shows the transition table', () => {
  const lines = stateDiagram().split('\n');

  test('contains every status, trigger and event of the table', () => {
    const words = stateDiagram().split(/[\s:]+/);
    for (const status of STATUSES) expect(words).toContain(status);
    for (const { on, emits } of TRANSITIONS) {
      expect(words).toContain(on);
      if (emits !== null) expect(words).toContain(emits);
    }
  });

  test.each([
    '[*] --> pending_dns: create / domain.created',
    'pending_dns --> verifying: dns_seen',
    'active --> dns_broken: dns_gone or whitelabel_grace_passed / domain.dns_broken',
    'dns_broken --> active: dns_confirmed [certificate valid] / domain.active',
    'any --> deleted: delete / domain.deleted',
    'any_but_held --> held: hold / domain.held',
    'held --> any_but_held: release [the status before] / domain.released',
    'deleted --> [*]',
  ])('contains the line "%s"', (line) => {
    expect(lines.filter((each) => each.trim() === line)).toHaveLength(1);
  });

  test('has an edge for each transition from a status, unless several rows or statuses are drawn as one edge', () => {
    const drawn = lines.flatMap((line) => line.match(/^ {2}(\S+) --> \S+: ([a-z_ ]+[a-z])/) ?? []);
    const edges: string[] = [];
    for (let i = 0; i < drawn.length; i += 3) {
      for (const trigger of (drawn[i + 2] ?? '').split(' or ')) edges.push(`${drawn[i + 1]} ${trigger}`);
    }
    const wide = new Set(['delete', 'hold']);
    const expected = TRANSITIONS.flatMap(({ from, on }) =>
      wide.has(on)
        ? [`${on === 'hold' ? 'any_but_held' : 'any'} ${on}`]
        : from.map((status) => `${status ?? '[*]'} ${on}`),
    );
    expect(edges.toSorted()).toEqual(expected.toSorted());
  });

  test('is valid Mermaid: one line per edge, with one colon', () => {
    expect(lines[0]).toBe('stateDiagram-v2');
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^ {2}(state "[a-z ]+" as \w+|(\w+|\[\*\]) --> (\w+|\[\*\])(: [^:;]+)?)$/);
    }
  });
});
