import { expect, onTestFinished, test } from 'vitest';
import { localUrlOf } from '../../service/listening.ts';
import { startOutsideNode } from '../../service/outside-node.ts';
import { QUIET } from './dns/dns-node.ts';
import { runService } from './run-service.ts';
import { testConfig } from './settings/test-config.ts';

test('a relay that cannot work says why, at `/readyz` and in `service status`', async () => {
  const env = {
    NAMEPLATE_ROLES: 'relay',
    NATS_URL: 'nats://127.0.0.1:1',
    NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
    DATABASE_URL: 'postgres://nameplate_relay:password@127.0.0.1:1/nameplate',
  };
  const node = await startOutsideNode(testConfig(env.DATABASE_URL, env), QUIET);
  onTestFinished(() => node.stop());
  const problems = ['the relay cannot work: NATS is not connected yet'];
  const response = await fetch(`${localUrlOf(node.addresses.admin)}/readyz`);
  expect([response.status, await response.json()]).toMatchObject([503, { ready: false, problems }]);
  const { admin } = node.addresses;
  const here = { ...env, NAMEPLATE_ADMIN_LISTEN: `${admin.host}:${admin.port}` };
  const { exit, stdout } = await runService(['status'], here);
  expect([exit, stdout]).toEqual([
    8,
    expect.stringMatching(/node +not ready: the relay cannot work: NATS is not connected yet\n/),
  ]);
});
