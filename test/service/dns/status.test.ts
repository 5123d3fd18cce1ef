import { expect, test } from 'vitest';
import { runService } from '../run-service.ts';
import { DNS_ENV } from './dns-node.ts';

const ENV = {
  ...DNS_ENV,
  NAMEPLATE_DATA_DIR: '/nowhere',
  // No resolver listens at these ports.
  NAMEPLATE_RESOLVERS: '127.0.0.1:1,127.0.0.1:2,127.0.0.1:3',
};

test("service status shows a problem of the zone's delegation with its fix", async () => {
  const { stdout } = await runService(['status', '--no-node'], ENV);
  expect(stdout).toMatch(/zone edge\.example\.net +1 problem/);
  expect(stdout).toMatch(
    /The delegation of sandbox\.example\.net:\n {2}the servers above .*\n {4}Check that/,
  );
});

test("service status does not check the zone's delegation with --no-dns, or without name servers", async () => {
  const withoutFlag = await runService(['status', '--no-node', '--no-dns', '--json'], ENV);
  expect(JSON.parse(withoutFlag.stdout).delegations).toEqual([]);
  const { NAMEPLATE_ROLES: _, NAMEPLATE_DNS_SERVERS: __, ...plain } = ENV;
  const withoutServers = await runService(['status', '--no-node', '--json'], plain);
  expect(JSON.parse(withoutServers.stdout).delegations).toEqual([]);
});
