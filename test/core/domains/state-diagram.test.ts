import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateDiagram, withStateDiagram } from '../../../shared/core/domains/state-diagram.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../../shared/core/domains/transitions.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('the state diagram', () => {
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
  ])('says %s', (line) => {
    expect(lines.filter((each) => each.trim() === line)).toHaveLength(1);
  });

  test('has an edge for each transition from a status, unless rows or statuses are drawn as one', () => {
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

  test('is text that Mermaid can parse: one line per edge, one colon per line', () => {
    expect(lines[0]).toBe('stateDiagram-v2');
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^ {2}(state "[a-z ]+" as \w+|(\w+|\[\*\]) --> (\w+|\[\*\])(: [^:;]+)?)$/);
    }
  });
});

test.each(['shared/docs/domains.md', 'README.md'])(
  '%s shows the current diagram; if not, run bin/diagram.ts',
  (file) => {
    const text = existsSync(path.join(root, file)) ? read(file) : '';
    expect(text.includes('<!-- state-diagram -->')).toBe(text.includes('<!-- /state-diagram -->'));
    if (file !== 'README.md') expect(text).toContain('<!-- state-diagram -->');
    expect(text).toBe(withStateDiagram(text));
  },
);

test('writes the diagram between its markers, and nowhere else', () => {
  const text = 'a\n<!-- state-diagram -->\nold $& $1\n<!-- /state-diagram -->\nb\n';
  expect(withStateDiagram(text)).toBe(
    `a\n<!-- state-diagram -->\n\`\`\`mermaid\n${stateDiagram()}\n\`\`\`\n<!-- /state-diagram -->\nb\n`,
  );
  expect(withStateDiagram('no markers')).toBe('no markers');
});
