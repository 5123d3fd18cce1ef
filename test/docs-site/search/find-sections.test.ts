import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { searchSections } from '../../../bin/docs/build-search.ts';
import { PLANS } from '../../../shared/core/accounts/plan.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { INDEX_SITE } from '../../../shared/docs-site/docs-assets.ts';
import {
  findSections,
  INDEX_OPTIONS,
  type SearchSection,
} from '../../../shared/docs-site/search/search-terms.ts';
import { createSite } from '../../../shared/docs-site/site/docs-site.ts';

const index = new MiniSearch<SearchSection>(INDEX_OPTIONS);
index.addAll(searchSections(createSite({ ...INDEX_SITE, names: serviceNames('Service'), plans: PLANS })));

/** Returns the addresses of the first results. */
function found(query: string, count = 3): string[] {
  return findSections(index, query, count).map(({ href }) => String(href));
}

/** Queries of a developer who does not know the docs, each with a page that must be among the first three results. */
test.each([
  ['verify webhook python', 'verify-in-other-languages'],
  ['simulate expired domain', 'testing-expiry'],
  ['reverse proxy', 'behind-a-proxy'],
  ['cdn', 'behind-a-proxy'],
  ['rotate webhook secret', 'rotating-secrets'],
  ['resend webhook', 'failed-webhooks'],
  ['replay event', 'failed-webhooks'],
  ['webhook not received', 'failed-webhooks'],
  ['show dns records in my app', 'embedding'],
  ['widget', 'embedding'],
  ['why is my domain not active', 'troubleshooting'],
  ['domain stuck', 'troubleshooting'],
  ['bulk import', 'importing'],
  ['import status', 'importing'],
  ['migrate without downtime', 'moving-in'],
  ['zero downtime migration', 'moving-in'],
  ['call any endpoint', 'cli'],
  ['self host postgres', 'one-server'],
  ['api key create', 'api/create-key'],
  ['401', 'errors/unauthorized'],
])('a search for “%s” finds the page %s', (query, page) => {
  expect(found(query).map((href) => href.replace(/#.*/, ''))).toContain(page);
});

test('a search lists a section with all words of the query before a section with fewer', () => {
  const two = new MiniSearch<SearchSection>(INDEX_OPTIONS);
  two.addAll([
    { id: 0, title: 'Secrets', page: 'Secrets', href: 'a', text: 'Every secret of an app is a secret.' },
    {
      id: 1,
      title: 'Keys',
      page: 'Accounts',
      href: 'b',
      text: 'To rotate a secret, write the new one first.',
    },
  ]);
  expect(findSections(two, 'rotate the secret', 2).map(({ href }) => href)).toEqual(['b', 'a']);
});

test('a search for a word with `_` or `-` lists a section with the whole word before a section with its parts', () => {
  expect(found('rate_limited', 1)).toEqual(['errors/rate_limited']);
  const two = new MiniSearch<SearchSection>(INDEX_OPTIONS);
  const parts = {
    id: 0,
    title: 'Broken DNS',
    page: 'A',
    href: 'a',
    text: 'If DNS is broken, repair the broken DNS.',
  };
  const whole = { id: 1, title: 'B', page: 'B', href: 'b', text: 'The domain is dns_broken.' };
  two.addAll([parts, whole]);
  expect(findSections(two, 'dns_broken', 2).map(({ href }) => href)).toEqual(['b', 'a']);
});

test('a search for nothing but filler words still finds pages with them', () => {
  expect(found('when not', 1)).toEqual(['why-nameplate#when-not']);
});

test('a search finds a misspelt word', () => {
  expect(found('webhok', 1)[0]).toMatch(/webhook/);
});
