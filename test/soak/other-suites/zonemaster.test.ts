import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KNOT_PROGRAMS } from '../../fixtures/dns/knot.ts';
import { UNBOUND_PROGRAMS } from '../../fixtures/dns/unbound.ts';
import { type DelegatedZones, REGISTRY, startDelegatedZones } from '../../service/dns/delegated-zones.ts';
import { conclude, type Excuses } from './conclude.ts';

/**
 * Runs all test cases of Zonemaster on the zones of a node with the role `dns`, below our own root and registry. A message of the level
 * NOTICE, WARNING, ERROR or CRITICAL is a finding. The cases about IPv6 find no servers here. The cases about signatures end with the
 * finding that the zones are not signed.
 */
const ZONEMASTER = '/usr/bin/zonemaster-cli';
/** Zonemaster queries only port 53. */
const PORT = 53;
const FINDING = /^(?:NOTICE|WARNING|ERROR|CRITICAL)$/;

const ON_LOOPBACK = 'The name servers of this test have loopback addresses of IPv4 only.';
const UNSIGNED = 'The zones are not signed (decisions/0035).';
const NO_SECONDARY = 'No server copies the zones, so no one uses these times (decisions/0035).';
const EXCUSES: Excuses = {
  NAMESERVER_IP_PRIVATE_NETWORK: ON_LOOPBACK,
  NAMESERVER_IP_WITHOUT_REVERSE: ON_LOOPBACK,
  NO_IPV6_NS_CHILD: ON_LOOPBACK,
  NO_IPV6_NS_DEL: ON_LOOPBACK,
  NEITHER_DNSKEY_NOR_DS: UNSIGNED,
  NOT_SIGNED: UNSIGNED,
  REFRESH_MINIMUM_VALUE_LOWER: NO_SECONDARY,
  RETRY_MINIMUM_VALUE_LOWER: NO_SECONDARY,
  SOA_DEFAULT_TTL_MAXIMUM_VALUE_LOWER:
    'Resolvers forget quickly that a name has no record, because an address or the answer to a challenge may follow.',
  Z09_MISSING_MAIL_TARGET: 'No mail is addressed to a name in these zones.',
};

interface Message {
  level: string;
  tag: string;
}

/** On most systems, only root can listen on port 53. */
const notRoot = process.getuid?.() === 0 ? null : 'only root can serve DNS on port 53';
const missing =
  notRoot ??
  whyMissing({
    packages: ['knot', 'unbound', 'zonemaster-cli'],
    programs: [...KNOT_PROGRAMS, ...UNBOUND_PROGRAMS, ZONEMASTER],
  });

describeUnlessMissing(missing, 'Zonemaster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-zonemaster-'));
  const hints = join(folder, 'hints');
  let zones: DelegatedZones | undefined;
  beforeAll(async () => {
    writeFileSync(hints, `. 3600 NS ns.nic.test.\nns.nic.test. 3600 A ${REGISTRY}\n`);
    zones = await startDelegatedZones(PORT);
  });
  afterAll(async () => {
    await zones?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test.each(['edge.test', 'sandbox.test', 'acme.edge.test'])(
    'Zonemaster finds no fault in the zone %s',
    async (zone) => {
      // With a loopback source address, no packet of Zonemaster can leave this machine.
      const local = ['--no-ipv6', '--sourceaddr=127.0.0.1', `--hints=${hints}`];
      const options = ['--json', '--raw', '--level=DEBUG', ...local, zone];
      const { stdout } = await promisify(execFile)(ZONEMASTER, options, { maxBuffer: 1e8, timeout: 120_000 });
      const messages = JSON.parse(stdout) as Message[];
      const cases = messages.filter(({ tag }) => tag === 'TEST_CASE_END').length;
      expect(cases).toBeGreaterThan(50);
      const found = messages.filter(({ level }) => FINDING.test(level)).map(({ tag }) => tag);
      conclude(`zonemaster, ${zone}`, `${cases} test cases`, found, EXCUSES);
    },
  );
});
