import { expect, test } from 'vitest';
import { COMMANDS } from '../../cli/commands.ts';
import { SERVICE_COMMANDS } from '../../service/commands.ts';
import { SAME_BY, sameByForDomain, sameByForEvent } from '../../shared/dashboard/browser/same-by.ts';
import { ROUTES } from '../../shared/schema/routes.ts';

/** The API calls and commands that the dashboard's pages show as equivalents of an action. */
const NAMED = [
  ...Object.values(SAME_BY).flat(),
  ...sameByForDomain('dom_1', 'careers.acme.com'),
  ...sameByForEvent('evt_1'),
];
const COMMAND_IDS = new Set([...Object.keys(COMMANDS), ...Object.keys(SERVICE_COMMANDS)]);
const CALLS = new Set<string>(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`));

test.each(NAMED.flatMap(([, , command]) => command ?? []))(
  'the command nameplate %s, which the dashboard names, exists',
  (command) => {
    const words = command.split(' ');
    const ids = words.map((_, place) => words.slice(0, place + 1).join(':'));
    expect(ids.some((id) => COMMAND_IDS.has(id))).toBe(true);
  },
);

test.each(NAMED.flatMap(([, call]) => call ?? []))(
  'the API operation %s, which the dashboard names, exists',
  (call) => {
    const pattern = call.replace(/\?.*/, '').replace(/(?:dom|evt)_1/, '{id}');
    expect(CALLS).toContain(pattern);
  },
);
