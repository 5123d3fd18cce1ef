import { expect, test } from 'vitest';
import { type LeadsTo, serverAnswers } from '../../../cli/diagnose/server-answers.ts';
import { lookup, type Said, SUBDOMAIN, TARGET, V4 } from '../../core/dns/survey-builder.ts';

test.each<[LeadsTo, Said]>([
  ['edge', [`CNAME ${TARGET}`]],
  ['elsewhere', ['A 198.51.100.7']],
  ['nowhere', 'nxdomain'],
  ['blocked', 'blocked'],
  ['unknown', 'timeout'],
])('watch-switch classifies the target of a DNS answer as: %s', (leads, said) => {
  const { hostname } = SUBDOMAIN;
  const seen = lookup(hostname, 'A', said);
  const asked = { ...seen, asked: 'resolver' as const, ede: [], records: [...seen.records] };
  const answers = serverAnswers({ hostname, lookups: [asked] }, { targets: [TARGET], addresses: [V4] });
  expect(answers.get('resolver')?.leads).toBe(leads);
});
