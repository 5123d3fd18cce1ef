import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { type Fill, type FillStatement, sqlApp, sqlCreatedAt, sqlId, sqlStatus } from './fill-expressions.ts';

/** The jobs of the fill become due after this time, when the bench has ended. */
const FIRST_DUE_MS = 6 * HOUR_MS;
const KEY = 'A'.repeat(230);
const DATA_KEY = 'B'.repeat(96);
/** Size of a certificate chain, in hashes of 32 bytes. */
const CHAIN_LENGTH = 94;

const all = ({ domains, deleted }: Fill) => `generate_series(0, ${domains + deleted - 1}) d`;
const live = ({ domains }: Fill) => `generate_series(0, ${domains - 1}) d`;
const DOMAIN = sqlId('dom', 'd');
const HOSTNAME = `'careers.customer-' || d || '.example.com'`;
const withCertificate = (fill: Fill) => `${live(fill)} where d % 100 < 96 or d % 100 = 99`;

/** A certificate becomes valid at the time at which its domain was added. */
const certificateTimes = (fill: Fill) => `${sqlCreatedAt(fill)} as not_before`;

/** The statements that fill the tables about domains, by the name of the table. */
export const DOMAIN_FILLS: Readonly<Record<string, readonly FillStatement[]>> = {
  api_keys: [
    ({ apps, now }) => `
      insert into api_keys (id, app_id, name, mode, prefix, last4, hash, created_at, last_used_at)
      select ${sqlId('key', 'a')}, ${sqlId('app', 'a')}, 'key', 'live', 'sk_live_abcd', 'wxyz', md5('key ' || a), ${now - 40 * DAY_MS}, ${now - DAY_MS}
      from generate_series(1, ${apps}) a`,
  ],
  domains: [
    (fill) => `
      insert into domains (id, app_id, mode, hostname, reversed_hostname, is_apex, status, status_since, status_reason, apex_redirect,
        connect_token, txt_value, routed_through, certificate, metadata, created_at, updated_at, window_opened_at, last_checked_at,
        next_check_at, event_seq, last_event_at)
      select ${DOMAIN}, ${sqlApp(fill)}, 'live', ${HOSTNAME}, reverse(${HOSTNAME}), 0, status, created_at + ${MINUTE_MS},
        case status when 'dns_broken' then 'record_missing' when 'cert_failed' then 'caa_blocks' end, 'none',
        md5('connect ' || d), md5('txt ' || d),
        (select target_label || '.${fill.edgeZone}' from apps where id = ${sqlApp(fill)} and status <> 'pending_dns'),
        case when status in ('active', 'cert_failed') then json_build_object('issuer', 'R10', 'not_before', created_at, 'not_after',
          created_at + ${90 * DAY_MS}, 'renews_at', created_at + ${60 * DAY_MS})::text end,
        '{"customer":"c' || d || '"}', created_at, case when status = 'deleted' then ${fill.now - 31 * DAY_MS} else created_at end, created_at,
        ${fill.now - HOUR_MS}, ${fill.now + FIRST_DUE_MS}, 3, created_at
      from (select d, ${sqlStatus(fill)} as status, ${sqlCreatedAt(fill)} as created_at from ${all(fill)}) made`,
  ],
  // `added` leaves out deleted domains. An account that has deleted many domains would reach a rate limit when it creates more.
  domain_counts: [
    () => `
      insert into domain_counts (account_id, used, added, tests)
      select account_id, count(*) filter (where status <> 'deleted'), count(*) filter (where status <> 'deleted'), 0 from domains join apps on apps.id = domains.app_id
      group by account_id`,
  ],
  // The digest must equal the result of `metadataEntry`.
  domain_metadata: [
    (fill) => `
      insert into domain_metadata (domain_id, entry, app_id, mode, created_at)
      select ${DOMAIN}, rtrim(translate(encode(sha256(convert_to('["customer","c' || d || '"]', 'UTF8')), 'base64'), '+/', '-_'), '='),
        ${sqlApp(fill)}, 'live', ${sqlCreatedAt(fill)}
      from ${live(fill)}`,
  ],
  routes: [
    (fill) => `insert into routes (hostname, domain_id) select ${HOSTNAME}, ${DOMAIN} from ${live(fill)}`,
  ],
  dns_checks: [
    (fill) => `
      insert into dns_checks (domain_id, checked_at, name_servers, findings, progress)
      select ${DOMAIN}, ${fill.now - HOUR_MS}, '["ns1.dns-provider.example","ns2.dns-provider.example"]', '[]', 'seen' from ${live(fill)}`,
  ],
  // A rotation of the encryption key has stopped halfway: the data keys of the first half are encrypted with `k2`.
  certificates: [
    (fill) => `
      insert into certificates (id, domain_id, ca, names, chain, private_key, data_key, serial, issuer, not_before, not_after, renews_at, created_at)
      select ${sqlId('crt', 'd')}, ${DOMAIN}, 'letsencrypt', '["' || ${HOSTNAME} || '"]', repeat(md5('chain'), ${CHAIN_LENGTH}),
        'd.${KEY}', case when d < ${fill.domains / 2} then 'k2.' else 'k1.' end || '${DATA_KEY}', md5('serial ' || d), 'R10', not_before,
        not_before + ${90 * DAY_MS}, not_before + ${60 * DAY_MS}, not_before
      from (select d, ${certificateTimes(fill)} from ${withCertificate(fill)}) made`,
  ],
  certificate_history: [
    (fill) => `
      insert into certificate_history (domain_id, id, issuer, serial, names, not_before, not_after, served_from)
      select ${DOMAIN}, ${sqlId('crt', 'd')}, 'R10', md5('serial ' || d), '["' || ${HOSTNAME} || '"]', not_before,
        not_before + ${90 * DAY_MS}, not_before
      from (select d, ${certificateTimes(fill)} from ${withCertificate(fill)}) made`,
  ],
  jobs: [
    (fill) => `
      insert into jobs (kind, subject_id, app_id, due_at, attempts)
      select 'check_dns', ${DOMAIN}, ${sqlApp(fill)}, ${fill.now + FIRST_DUE_MS} + (d::bigint * 7919) % ${HOUR_MS}, 0 from ${live(fill)}`,
    (fill) => `
      insert into jobs (kind, subject_id, app_id, due_at, attempts)
      select case when d % 100 = 99 then 'retry' else 'renew' end, ${DOMAIN}, ${sqlApp(fill)},
        ${fill.now + FIRST_DUE_MS} + (d::bigint * 104729) % ${6 * HOUR_MS}, 0
      from ${withCertificate(fill)}`,
  ],
  lanes: [
    (fill) => `insert into lanes (domain_id, app_id) select ${DOMAIN}, ${sqlApp(fill)} from ${all(fill)}`,
  ],
  events: [
    (fill) => `
      insert into events (id, domain_id, app_id, mode, seq, type, hostname, previous_status, status, created_at, body, delivery_status,
        attempts, tries, first_attempt_at, last_status_code, last_attempt_at)
      select ${sqlId('evt', 'd * 3 + seq')}, ${DOMAIN}, ${sqlApp(fill)}, 'live', seq,
        (array['domain.created', 'domain.verified', 'domain.active'])[seq], ${HOSTNAME}, (array[null, 'pending_dns', 'issuing'])[seq],
        (array['pending_dns', 'issuing', 'active'])[seq], at, '{"id":"evt"}', 'delivered', 1, 1, at, 200,
        case when d >= ${fill.domains} then ${fill.now - 5 * DAY_MS} else at end
      from (select d, seq, case when d >= ${fill.domains} then ${fill.now - 32 * DAY_MS} else ${sqlCreatedAt(fill)} end + seq as at
        from ${all(fill)}, generate_series(1, 3) seq) made`,
  ],
  deliveries: [
    (fill) => `
      insert into deliveries (id, event_id, app_id, attempt, automatic, finished, status_code, response_ms, delivered_at, created_at)
      select ${sqlId('dlv', 'd')}, ${sqlId('evt', 'd * 3 + 3')}, ${sqlApp(fill)}, 1, 1, 1, 200, 40, ${sqlCreatedAt(fill)} + 3, ${sqlCreatedAt(fill)} + 3
      from ${live(fill)}`,
  ],
};
