import { expect, test } from 'vitest';
import { createChallengeZone } from '../../../shared/dns/server/challenge-zone.ts';
import { CLIENT, EDGE, queryOf, responderOf, servedZones, shown } from './served-zones.ts';

const NAME = 'acme.edge.example.net';
const SOA = `${NAME} 5 SOA ns1.example.net hostmaster.example.net 7 5`;
const NO_DATA = { status: 'NOERROR aa', answers: [], authorities: [SOA], additionals: [] };

/** The edge zone with the zone of challenges below it, whose texts a test sets by their label. */
function challenges() {
  const texts = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const zone = createChallengeZone(
    {
      ...EDGE,
      name: NAME,
      soa: { ...EDGE.soa, negativeTtlS: 5 },
      servers: [
        { name: 'ns1.example.net', addresses: [] },
        { name: `ns2.${NAME}`, addresses: ['192.0.2.53'] },
      ],
      records: [],
      ttlS: 5,
    },
    (label) => {
      asked.push(label);
      return texts.get(label) ?? [];
    },
  );
  const respond = responderOf(new Map([...servedZones(), [zone.key, zone]]));
  const ask = (name: string, type: string) => shown(respond(queryOf(name, type), 'tcp', CLIENT));
  return { texts, asked, ask };
}

test('a name of the challenge zone has a TXT record for each open challenge, and none before and after', () => {
  const { texts, ask } = challenges();
  const name = `0a1b.${NAME}`;
  expect(ask(name, 'TXT')).toEqual(NO_DATA);
  texts.set('0a1b', ['one', 'two']);
  expect(ask(name, 'TXT').answers).toEqual([`${name} 5 TXT one`, `${name} 5 TXT two`]);
  expect(ask(name, 'ANY').answers).toHaveLength(2);
  expect(ask('0A1B.Acme.Edge.Example.Net', 'TXT').answers).toHaveLength(2);
  for (const type of ['A', 'CAA', 'CNAME']) expect(ask(name, type)).toEqual(NO_DATA);
  expect(ask(`2c3d.${NAME}`, 'TXT')).toEqual(NO_DATA);
  texts.delete('0a1b');
  expect(ask(name, 'TXT')).toEqual(NO_DATA);
});

test('the challenge zone has no record below the name of a challenge, and does not look for one', () => {
  const { texts, asked, ask } = challenges();
  expect(ask(`b.0a1b.${NAME}`, 'TXT')).toEqual(NO_DATA);
  texts.set('0a1b', ['one']);
  expect(ask(`b.0a1b.${NAME}`, 'TXT').status).toBe('NXDOMAIN aa');
  expect(new Set(asked)).toEqual(new Set(['0a1b']));
});

test('the challenge zone answers for itself and its name servers without a search for challenges', () => {
  const { asked, ask } = challenges();
  expect(ask(NAME, 'SOA').answers).toEqual([`${NAME} 3600 SOA ns1.example.net hostmaster.example.net 7 5`]);
  expect(ask(NAME, 'TXT')).toEqual(NO_DATA);
  expect(ask(`ns2.${NAME}`, 'A').answers).toEqual([`ns2.${NAME} 5 A 192.0.2.53`]);
  expect(ask('k7m2q9.edge.example.net', 'A').answers).toHaveLength(2);
  expect(asked).toEqual([]);
});
