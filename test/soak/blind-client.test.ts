import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { FIXABLE_CODES } from '../../shared/core/dns/changes/finding-changes.ts';
import { DNS_REASONS } from '../../shared/core/dns/dns-reasons.ts';
import { BlindClient, type BlindWorld } from '../dns/blind-client.ts';
import { startBlindWorld } from '../dns/blind-world.ts';
import { findingTable } from '../dns/finding-table.ts';
import { PROXIED_ZONES, UNFIXABLE_ZONES } from '../dns/proxied-zones.ts';
import { randomZones } from '../dns/random-zones.ts';
import { describePebble } from '../fixtures/acme/pebble.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeRealInternet } from '../fixtures/describe-real-internet.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { KDIG } from '../fixtures/dns/kdig.ts';
import { KNSUPDATE } from '../fixtures/dns/update-zone.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { FRONT_PACKAGES } from '../proxies/front-programs.ts';

/**
 * Tests a client without any knowledge of DNS. It makes the changes of each diagnosis by DNS UPDATE, and waits until the domain is active.
 */
const ZONES = Number(process.env['BLIND_ZONES'] ?? 300);
const SEED = Number(process.env['BLIND_SEED'] ?? 1);
/** Maximum number of diagnoses for each domain. A domain needs more than one if a finding hides another. */
const ROUNDS_MAX = 3;
/** With fewer zones than this, some findings may not occur, so the test does not expect them all. */
const ZONES_FOR_ALL = 200;

const missing =
  whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG, KNSUPDATE] }) ?? whyMissing(FRONT_PACKAGES);

describeUnlessMissing(missing, `A client that knows no DNS, with ${ZONES} broken zones`, () => {
  describeRealInternet('real name servers', () => {
    describePebble('Pebble as the CA', () => {
      describePostgres('Postgres', blindClient);
    });
  });
});

function blindClient() {
  const zones = [...randomZones(ZONES, SEED), ...PROXIED_ZONES];
  let world: BlindWorld & AsyncDisposable;
  let client: BlindClient;
  beforeAll(async () => {
    world = await startBlindWorld(zones, UNFIXABLE_ZONES);
    client = new BlindClient(world);
  }, 120_000);
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('makes each domain active by the suggested changes alone, and touches no other record', async () => {
    const customers = await client.inTurns(zones, (zone) => client.addDomain(zone));
    let rounds = 0;
    let broken = customers;
    for (; rounds < ROUNDS_MAX && broken.length > 0; rounds++) {
      broken = (await client.inTurns(broken, (customer) => client.obey(customer))).flat();
    }
    await world.cluster.moveClock(BUDGETS.verify.windowMs);
    await client.inTurns(customers, (customer) => client.verify(customer));
    await client.waitUntilActive(customers);

    const wrong: unknown[] = [];
    let minimal = 0;
    for (const customer of customers) {
      const { zone, changes, fewest, hostname, found } = customer;
      const { status, status_reason: reason } = await client.read(customer);
      const isKept = JSON.stringify(await client.bystanders(customer)) === JSON.stringify(customer.kept);
      if (changes.length === fewest) minimal++;
      else
        console.log(
          `${hostname}: not ${fewest}: ${zone.mistakes.join(', ')}: ${changes.join(' | ')} (${found})`,
        );
      if (status !== 'active' || !isKept)
        wrong.push({ hostname, mistakes: zone.mistakes, status, reason, isKept });
    }
    const table = findingTable(customers.map(({ found }) => found));
    console.log(
      `${customers.length} zones, ${customers.length - wrong.length} active with all other records kept, ` +
        `${minimal} by the fewest changes, at most ${rounds} rounds, seed ${SEED}\n${table.text}`,
    );
    expect(wrong).toEqual([]);
    expect(minimal / customers.length).toBeGreaterThanOrEqual(0.95);
    const fixable = FIXABLE_CODES.filter((code) => code in DNS_REASONS || code === 'caa_forbids');
    if (ZONES >= ZONES_FOR_ALL) {
      expect(fixable.filter((code) => !table.alone.has(code) && !table.paired.has(code))).toEqual([]);
    }
  });

  describe('with a zone that no record of the customer can fix', () => {
    test.each(UNFIXABLE_ZONES)('gets no suggested changes for the finding $code', async (zone) => {
      const { code } = zone;
      const customer = await client.addUnfixable(zone);
      const { findings } = await client.diagnose(customer);
      expect(findings[0]).toMatchObject({ code, changes: [] });
      expect(findings.flatMap(({ changes }) => changes)).toEqual([]);
    });
  });
}
