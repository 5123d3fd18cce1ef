import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOfApi, curlOfEvent } from '../../../../cli/events/commands/event-request.ts';
import { clipboardProgram } from '../../../../cli/events/commands/view-commands.ts';
import { visibleText } from '../../../../cli/output/plain-text.ts';

const EVENT = { id: 'evt_1', deliveries: [] };

/** Runs a shell command in which `curl` is replaced by a program that prints its arguments. Returns the arguments. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

test('the copied curl command sends the headers and the exact body, whatever quotes they contain', () => {
  const body = `{"note":"it's $HOME \`id\` \\"quoted\\""}`;
  const signature = {
    ok: true as const,
    header: 'Service-Signature',
    value: 't=1,v1=abc',
    result: '',
    isGood: true,
  };
  const given = argumentsOf(
    curlOfEvent({ event: EVENT, url: 'https://app.example.com/a?b=1&c', body, signature }),
  );
  expect(given[0]).toBe('https://app.example.com/a?b=1&c');
  expect(given.at(-1)).toBe(body);
  expect(given).toContain('Service-Event-Id: evt_1');
  expect(given).toContain('Service-Signature: t=1,v1=abc');
});

test('the copied curl command has no signature header if no signature could be made', () => {
  const command = curlOfEvent({ event: EVENT, url: 'https://app.example.com', body: '{}', signature: null });
  expect(command).not.toContain('Signature');
});

test('in the copied curl command, a body with terminal control characters is still the same JSON', () => {
  const body = JSON.stringify({ name: 'a\u202eb\u{e0001}c\u009b' });
  const printable = visibleText(body);
  expect(printable).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(printable)).toEqual(JSON.parse(body));
});

test('the copied curl command for the API reads the key from the environment', () => {
  const command = curlOfApi('http://127.0.0.1:4400/v1', '/v1/domains/dom_1');
  expect(command).not.toContain('sk_');
  expect(argumentsOf(command, { NAMEPLATE_API_KEY: 'sk_test_1' })).toEqual([
    'http://127.0.0.1:4400/v1/domains/dom_1',
    '-H',
    'Authorization: Bearer sk_test_1',
  ]);
});

test.each([
  [{ DISPLAY: ':0' }, 'linux', ['xclip', '-selection', 'clipboard']],
  [{ DISPLAY: ':0', WAYLAND_DISPLAY: 'w' }, 'linux', ['wl-copy']],
  [{}, 'darwin', ['pbcopy']],
  [{ SSH_CONNECTION: '1' }, 'darwin', []],
  [{}, 'linux', []],
] as const)('with %j on %s, the clipboard takes %j', (env, platform, expected) => {
  expect(clipboardProgram(env, platform)).toEqual(expected);
});
