import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nextCommands } from '../../../service/commands/operator/next-commands.ts';

const ADMIN = { admin: { host: '127.0.0.1', port: 4502 } };

test('the commands that a node suggests contain no settings if the node has the defaults', () => {
  expect(nextCommands(ADMIN, {})).toEqual([
    'Try next, in another terminal:',
    '  nameplate service accounts create "My company"',
  ]);
});

test('a node that cannot run the commands of operators suggests a look at its own state', () => {
  expect(nextCommands(ADMIN, {}, ['edge', 'dns'])).toContain('  nameplate service status');
  expect(nextCommands(ADMIN, {}, ['relay'])).toContain('  nameplate service status');
  expect(nextCommands(ADMIN, {}, ['worker'])).not.toContain('  nameplate service status');
});

test('the commands that a node suggests show no setting that has a secret', () => {
  const secrets = [
    'DATABASE_URL',
    'DATABASE_LISTEN_URL',
    'NAMEPLATE_ENCRYPTION_KEYS',
    'NAMEPLATE_EDGE_KEYS',
    'NATS_URL',
    'SMTP_URL',
    'NAMEPLATE_STRIPE_SECRET_KEY',
    'NAMEPLATE_STRIPE_WEBHOOK_SECRET',
    'NAMEPLATE_OIDC_CLIENT_SECRET',
  ];
  const lines = nextCommands(ADMIN, Object.fromEntries(secrets.map((name) => [name, 'hunter2'])));
  expect(lines.join()).not.toContain('hunter2');
  for (const name of secrets) expect(lines[0]).toContain(name);
});

test('the commands that a node suggests contain the settings and ports that another terminal needs, without secrets', () => {
  const addresses = {
    api: { host: '::1', port: 5000 },
    edge: { host: '127.0.0.1', port: 5001 },
    edgeHttp: { host: '127.0.0.1', port: 5003 },
    ...ADMIN,
  };
  const env = {
    NAMEPLATE_API_LISTEN: '[::1]:0',
    NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
    NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
    NAMEPLATE_OPERATOR: "O'Neill",
    DATABASE_URL: 'postgres://ada:hunter2@db/x',
    NAMEPLATE_ENCRYPTION_KEYS: 'k1:hunter2',
    HOME: '/home/ada',
  };
  const [title = '', ...lines] = nextCommands(addresses, env);
  expect(title).toContain('with the same DATABASE_URL and NAMEPLATE_ENCRYPTION_KEYS');
  expect([title, ...lines].join()).not.toContain('hunter2');
  const exported = execFileSync('/bin/sh', ['-c', `${lines.slice(0, -1).join('\n')}\nenv`], {
    env: {},
    encoding: 'utf8',
  });
  const told = exported.split('\n').filter((line) => line.startsWith('NAMEPLATE_'));
  expect(told.sort()).toEqual([
    'NAMEPLATE_API_LISTEN=[::1]:5000',
    'NAMEPLATE_EDGE_HTTP_LISTEN=127.0.0.1:5003',
    'NAMEPLATE_EDGE_LISTEN=127.0.0.1:5001',
    "NAMEPLATE_OPERATOR=O'Neill",
  ]);
});
