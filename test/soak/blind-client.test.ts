import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatChanges } from '../../cli/diagnose/format-changes.ts';
import { expecting, V4, V6 } from '../dns/broken-zones.ts';
import { diagnoseAt } from '../dns/diagnose-at.ts';
import { randomZones } from '../dns/random-zones.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../fixtures/dns/kdig.ts';
import { KNSUPDATE, updateZone } from '../fixtures/dns/update-zone.ts';
import {
  HOST_SERVERS,
  type RealInternet,
  startRealInternet,
  whyNoInternet,
} from '../fixtures/real-internet.ts';

/** A client that knows nothing of DNS: it applies the changes of the diagnosis by DNS UPDATE, until there are none. */
const ZONES = 300;
const SEED = Number(process.env['BLIND_SEED'] ?? 1);
/** More rounds than one mean that a finding hides another. */
const ROUNDS_MAX = 3;

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG, KNSUPDATE] }) ?? whyNoInternet();

describeUnlessMissing(missing, `A blind client with ${ZONES} broken zones`, () => {
  const zones = randomZones(ZONES, SEED);
  let net: RealInternet;

  beforeAll(async () => {
    net = await startRealInternet({
      'edge.test': { records: [`* A ${V4}`, `* AAAA ${V6}`] },
      ...Object.fromEntries(zones.map(({ label, records }) => [`${label}.test`, { records }])),
    });
  });
  afterAll(() => net[Symbol.asyncDispose]());

  test('fixes each of them, and touches no other record', async () => {
    const wrong: unknown[] = [];
    let minimal = 0;
    let rounds = 0;
    for (const { label, at, fewestChanges, unrelated, mistakes } of zones) {
      const expectation = expecting(label, at);
      const kept = await lookUp(label, unrelated);
      let changes = 0;
      let diagnosis = await diagnoseAt(net, expectation);
      for (let round = 0; round < ROUNDS_MAX && diagnosis.healthy !== true; round++) {
        changes += JSON.parse(formatChanges(diagnosis, 'json')).length;
        const update = formatChanges(diagnosis, 'nsupdate');
        if (update === '') break;
        await Promise.all(servers().map((server) => updateZone(server, update)));
        diagnosis = await diagnoseAt(net, expectation);
        rounds++;
      }
      const after = await lookUp(label, unrelated);
      const isFixed = diagnosis.healthy === true && diagnosis.findings.length === 0;
      if (changes === fewestChanges) minimal++;
      if (!isFixed || JSON.stringify(after) !== JSON.stringify(kept)) {
        wrong.push({ label, at, mistakes, findings: diagnosis.findings.map(({ code }) => code) });
      } else if (changes !== fewestChanges) {
        console.log(`${label}: ${changes} changes instead of ${fewestChanges}: ${mistakes.join(', ')}`);
      }
    }
    console.log(
      `${zones.length} zones, ${zones.length - wrong.length} fixed, ${minimal} by the fewest changes, ${rounds} rounds, seed ${SEED}`,
    );
    expect(wrong).toEqual([]);
    expect(minimal / zones.length).toBeGreaterThanOrEqual(0.95);
  });

  const servers = () => HOST_SERVERS.map((host) => ({ host, port: net.authorityPort }));

  /** Returns the records of names in a zone, each given as name and type. */
  function lookUp(label: string, names: readonly string[]): Promise<string[]> {
    const [server] = servers();
    if (server === undefined) throw new Error('there is no server');
    return Promise.all(
      names.map((each) => {
        const [name, type = ''] = each.split(' ');
        return kdig(server, [name === '@' ? `${label}.test` : `${name}.${label}.test`, type, '+short']);
      }),
    );
  }
});
