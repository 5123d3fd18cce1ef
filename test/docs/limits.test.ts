import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { environmentSchema } from '../../service/settings/environment.ts';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { RETRIES_AFTER_MS } from '../../shared/core/webhooks/delivery.ts';
import { EDGE_LIMITS } from '../../shared/edge/edge-limits.ts';

const docs = path.resolve(import.meta.dirname, '../../shared/docs');
const guides = globSync('*.md', { cwd: docs }).map((file) => readFileSync(path.join(docs, file), 'utf8'));
const settings = environmentSchema.parse({});
const HOUR_MS = 3_600_000;

test("the guides' table of limits has the limits of the code", () => {
  const guide = guides.find((text) => text.startsWith('# Plans and limits')) ?? '';
  const section = guide.split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, subject, limit]) => [subject, limit]);
  expect(rows.slice(2)).toEqual([
    ['Request body', `${LIMITS.request_body_bytes_max / 1024} KB`],
    ['`metadata`', `${LIMITS.metadata_bytes_max} bytes of JSON; ${LIMITS.metadata_filters_max} filters`],
    [
      '`origin_headers`',
      `${LIMITS.origin_headers_max}, values of 1 to ${LIMITS.origin_header_value_chars_max} characters`,
    ],
    [
      'Hostname',
      `${LIMITS.hostname_chars_max} characters; up to ${LIMITS.hostname_body_chars_max} in a request body, before encoding`,
    ],
    ['`origin`, `origin_url`, `webhook_url`', `${LIMITS.url_chars_max} characters`],
    ['`name` of an app or key', `1 to ${LIMITS.name_chars_max} characters`],
    ['`cursor`', `${LIMITS.cursor_chars_max} characters`],
    ['`limit`', `1 to ${LIMITS.page_size_max}, ${LIMITS.page_size_default} by default`],
    [
      '`Idempotency-Key`',
      `1 to ${LIMITS.idempotency_key_chars_max} characters, kept for ${LIMITS.idempotency_kept_ms / HOUR_MS} hours`,
    ],
    ['Requests', `${BUDGETS.api.perSecond} a second per key, bursts of ${BUDGETS.api.burst}`],
    ['Verify', `once every ${BUDGETS.verify.windowMs / 1000} seconds per ${BUDGETS.verify.whose}`],
    ['Redeliver', `${BUDGETS.redeliver.limit} a minute per ${BUDGETS.redeliver.whose}`],
    ['Deliveries shown per event', `${LIMITS.deliveries_per_event_max}, newest first`],
    ["Certificates kept in a domain's history", `${LIMITS.certificates_per_domain_max}, newest first`],
    ['Traffic by hour', `${LIMITS.traffic_hours_kept_ms / (24 * HOUR_MS)} days`],
    ['Traffic by day', `${settings.NAMEPLATE_TRAFFIC_DAYS} days by default`],
    ['Webhook reply', `${LIMITS.webhook_timeout_ms / 1000} seconds; seven retries over 24 hours`],
    ['Maximum age of a signature', `${LIMITS.signature_tolerance_s} seconds`],
    ['Overlap of signing secrets', `${LIMITS.secret_overlap_ms / HOUR_MS} hours`],
    ['A revoked key, a deleted domain', 'stops working within 5 seconds'],
  ]);
  expect([RETRIES_AFTER_MS.length, RETRIES_AFTER_MS.at(-1)]).toEqual([7, 24 * HOUR_MS]);
});

/** Sentences of the guides. Each `#` replaces a number, or a word for who is limited; the code's values for each `#` follow. */
const SENTENCES: readonly (readonly [sentence: string, ...values: (number | string)[]])[] = [
  ['at most # bytes. Nameplate returns it on every domain', LIMITS.metadata_bytes_max],
  ['`origin_headers` is an object of up to # names', LIMITS.origin_headers_max],
  ['A value is 1 to # visible ASCII characters', LIMITS.origin_header_value_chars_max],
  [
    'waits up to # seconds, and follows up to # redirects',
    LIMITS.probe_timeout_ms / 1000,
    LIMITS.probe_redirects_max,
  ],
  ['before it saves the new address, and then every # minutes', LIMITS.probe_every_ms / 60_000],
  ["one of the origin's connections, if all are in use | # seconds", EDGE_LIMITS.origin_queue_ms / 1000],
  ['the first byte of a response | # seconds', settings.NAMEPLATE_EDGE_ORIGIN_TIMEOUT_SECONDS],
  ['Refuse a timestamp more than # seconds from your clock', LIMITS.signature_tolerance_s],
  ['Refuse a `t` that is more than # seconds', LIMITS.signature_tolerance_s],
  ['Respond with any 2xx within # seconds. Store', LIMITS.webhook_timeout_ms / 1000],
  ['The previous secret stays valid for # hours. If you rotate', LIMITS.secret_overlap_ms / HOUR_MS],
  ['A new account gets a #-day trial', LIMITS.trial_ms / (24 * HOUR_MS)],
  [
    'In its first # hours, an account can add # live domains',
    LIMITS.new_account_ms / HOUR_MS,
    LIMITS.new_account_domains_max,
  ],
  ['An account can have # test domains and # keys', BUDGETS.test_domains.limit, BUDGETS.keys.limit],
  [
    'Within # hours, an account can add # test domains and # keys',
    24,
    BUDGETS.test_domains_added.limit,
    BUDGETS.keys_created.limit,
  ],
  [
    'A hosted account can have # of them in all its apps, and add # in 24 hours',
    BUDGETS.test_domains.limit,
    BUDGETS.test_domains_added.limit,
  ],
  [
    '`expires_in_s` is from # to 86 400 seconds, and # by default',
    LIMITS.connect_token_s_min,
    LIMITS.connect_token_s_default,
  ],
  ['failed events, at most # a minute per app', BUDGETS.redeliver.limit],
  [
    '`POST /v1/domains/{id}/verify` | # in # seconds per domain',
    BUDGETS.verify.limit,
    BUDGETS.verify.windowMs / 1000,
  ],
  [
    '# in # seconds per domain; # in # seconds per account',
    BUDGETS.diagnosis.limit,
    BUDGETS.diagnosis.windowMs / 1000,
    BUDGETS.diagnoses.limit,
    BUDGETS.diagnoses.windowMs / 1000,
  ],
  [
    'A key can have # open streams on each node, an app #, and an account #',
    BUDGETS.key_streams.limit,
    BUDGETS.app_streams.limit,
    BUDGETS.account_streams.limit,
  ],
  ['| Each API key | `api` | # | # |', BUDGETS.api.perSecond, BUDGETS.api.burst],
  ['| All keys of an app together | `app` | # | # |', BUDGETS.app.perSecond, BUDGETS.app.burst],
  [
    '| All apps of an account together | `account` | # | # |',
    BUDGETS.account.perSecond,
    BUDGETS.account.burst,
  ],
  ['| Addresses of a page | # |', BUDGETS.page_addresses.limit],
  ['| Confirmation requests of a page | # a day |', BUDGETS.page_mails.limit],
  [
    '| Confirmation requests to an address, from all pages of an # | # a day |',
    BUDGETS.live_mails_to.whose,
    BUDGETS.live_mails_to.each,
  ],
  ['for # hosts a day', BUDGETS.whitelabel_hosts.limit],
  [
    '| of one domain | # requests a second, # at once |',
    BUDGETS.component_domain.perSecond,
    BUDGETS.component_domain.burst,
  ],
  ['| of all domains of an # |', BUDGETS.component.whose],
  [
    'Each node responds to # requests a second for each #, and to # of them',
    BUDGETS.host_pages.perSecond,
    BUDGETS.host_pages.whose,
    BUDGETS.host_pages_network.perSecond,
  ],
  [
    'Beyond a burst of # and #, the response is 429',
    BUDGETS.host_pages.burst,
    BUDGETS.host_pages_network.burst,
  ],
  ['Each # has a share of the API', BUDGETS.requests.whose],
  ['| Of a node | An # alone has |', BUDGETS.connections.whose],
  ['| # of an # wait for up to 5 seconds', BUDGETS.waiting_requests.limit, BUDGETS.waiting_requests.whose],
  [
    'It sends an # # refusals at once and then # a second',
    BUDGETS.refusals.whose,
    BUDGETS.refusals.burst,
    BUDGETS.refusals.perSecond,
  ],
  ['| 5000, and # from one network', BUDGETS.api_connections.limit],
];

test.each(SENTENCES)('the sentence “%s” of the guides has the values of the code', (sentence, ...values) => {
  expect(saidIn(guides.join('\n'), String(sentence))).toEqual([values.map(String)]);
});

test('`saidIn` returns the values of a sentence at each place in a text', () => {
  expect(saidIn('for up to 3 (of an app).\nfor up to 40 (of a key).', 'up to # (of')).toEqual([
    ['3'],
    ['40'],
  ]);
});

/** Finds a sentence in a text. Returns the values in place of `#` for each occurrence. */
function saidIn(text: string, sentence: string): string[][] {
  const pattern = sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '(\\w+)');
  return [...text.matchAll(new RegExp(pattern, 'g'))].map(([, ...values]) => values.map(String));
}
