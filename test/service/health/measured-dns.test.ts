import { expect, test } from 'vitest';
import { measuredDns, type SurveyDone } from '../../../service/health/measured-dns.ts';
import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import type { Dns } from '../../../shared/ports/dns.ts';
import { type SaidSurvey, SUBDOMAIN, surveyOf, TARGET } from '../../core/dns/survey-builder.ts';

const RIGHT = { a: [`CNAME ${TARGET}`] };

test("measuredDns passes the expectations of a hostname's other domains to the survey", async () => {
  const passed: (readonly DnsExpectation[] | undefined)[] = [];
  const dns: Pick<Dns, 'survey'> = {
    survey(expectation, _, rivals) {
      passed.push(rivals);
      return Promise.resolve(surveyOf(expectation, {}));
    },
  };
  const rivals = [{ ...SUBDOMAIN, targets: ['b2.edge.service.example'] }];
  await measuredDns(dns as Dns, { now: () => 0 }, () => undefined).survey(SUBDOMAIN, 'first', rivals);
  expect(passed).toEqual([rivals]);
});

test.each<[string, SaidSurvey, Pick<SurveyDone, 'unanswered' | 'resolvers'>]>([
  ['answers', { resolvers: [RIGHT, RIGHT, RIGHT] }, { unanswered: [], resolvers: 'answered' }],
  [
    'times out',
    { resolvers: [RIGHT, { a: 'timeout' }, RIGHT] },
    { unanswered: ['8.8.8.8'], resolvers: 'answered' },
  ],
  [
    'blocks the name',
    { resolvers: [RIGHT, RIGHT, { a: 'blocked' }] },
    { unanswered: [], resolvers: 'answered' },
  ],
  [
    'refuses questions and a spare replaces it',
    { resolvers: [RIGHT, RIGHT, RIGHT], replaced: [{ a: 'refused' }] },
    { unanswered: ['9.9.9.9'], resolvers: 'answered' },
  ],
])(
  'measuredDns lists a resolver as unanswered only if it fails: the resolver %s',
  async (_, said, expected) => {
    const done: SurveyDone[] = [];
    const dns: Pick<Dns, 'survey'> = {
      survey: (expectation) => Promise.resolve(surveyOf(expectation, said)),
    };
    await measuredDns(dns as Dns, { now: () => 0 }, (each) => done.push(each)).survey(SUBDOMAIN, 'again');
    expect(done).toMatchObject([expected]);
  },
);
