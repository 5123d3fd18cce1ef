import { expect, test } from 'vitest';
import { createDnsClient, type DnsEndpoint } from '../../../shared/dns/wire/dns-client.ts';
import type { DnsMessage, Question } from '../../../shared/dns/wire/dns-message.ts';

const SERVER: DnsEndpoint = { label: 'ns1.acme.test (192.0.2.1)', address: { ip: '192.0.2.1', port: 53 } };
const ANSWER: DnsMessage = {
  rcode: 0,
  authoritative: true,
  truncated: false,
  recursionAvailable: false,
  hasEdns: true,
  answers: [],
  authorities: [],
  additionals: [],
  ede: [],
};

test('the DNS client sends an identical question only once, but a question with other flags separately', async () => {
  const { client, asked } = asking(() => ANSWER);
  const once = { recursion: true };
  await Promise.all([client.ask(SERVER, 'a.test', 'A', once), client.ask(SERVER, 'a.test', 'A', once)]);
  await client.ask(SERVER, 'a.test', 'A', { recursion: true, checkingDisabled: true });
  await client.ask(SERVER, 'a.test', 'AAAA', once);
  await client.ask({ ...SERVER, address: { ip: '192.0.2.2', port: 53 } }, 'a.test', 'A', once);
  expect(asked).toEqual(['a.test A', 'a.test A CD', 'a.test AAAA', 'a.test A']);
});

test('the DNS client sends no more questions than allowed', async () => {
  const { client, asked } = asking(() => ANSWER);
  const names = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'];
  const replies = await Promise.all(names.map((name) => client.ask(SERVER, name, 'A', { recursion: false })));
  expect(replies.map(({ answer }) => answer)).toEqual([ANSWER, ANSWER, ANSWER, ANSWER, 'timeout']);
  expect(asked).toHaveLength(4);
});

test('the DNS client asks a server without EDNS support again without EDNS', async () => {
  const { client, asked } = asking((_, edns) => (edns ? { ...ANSWER, rcode: 1, hasEdns: false } : ANSWER));
  expect(await client.ask(SERVER, 'a.test', 'A', { recursion: false })).toMatchObject({ answer: ANSWER });
  expect(asked).toEqual(['a.test A', 'a.test A']);
});

test('the DNS client does not repeat a question without EDNS if a server with EDNS reports a format error', async () => {
  const { client, asked } = asking(() => ({ ...ANSWER, rcode: 1 }));
  await client.ask(SERVER, 'a.test', 'A', { recursion: false });
  expect(asked).toHaveLength(1);
});

test.each([
  'a b.test',
  'a\\.b.test',
  'a..test',
  '',
  `${'a'.repeat(64)}.test`,
  `${'a.'.repeat(126)}test`,
  'ä.test',
])('the DNS client asks no server about a name that cannot be encoded: "%s"', async (name) => {
  const { client, asked } = asking(() => ANSWER);
  expect(await client.ask(SERVER, name, 'A', { recursion: false })).toMatchObject({ answer: 'malformed' });
  expect(asked).toEqual([]);
});

function asking(answer: (question: Question, edns: boolean) => DnsMessage) {
  const asked: string[] = [];
  const client = createDnsClient({
    exchange: async (_, question, edns) => {
      asked.push(`${question.name} ${question.type}${question.checkingDisabled ? ' CD' : ''}`);
      return answer(question, edns);
    },
    clock: { now: () => 0 },
    questionsMax: 4,
    signal: new AbortController().signal,
  });
  return { client, asked };
}
