import { delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import type { RecordChange } from '../../../shared/core/dns/changes/record-change.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { checkWhitelabel } from '../../../shared/operations/dns/check-whitelabel.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { holdHostname, releaseHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { saveDomain } from '../../../shared/store/domains/domains.ts';
import { findHold } from '../../../shared/store/domains/holds.ts';
import { takeFreeRoute } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { FOREIGN_V4, V4 } from '../../core/dns/survey-builder.ts';
import { EDGE_ZONE } from './dns-world.ts';
import { CHALLENGE_ZONE, NAMES, type OwnershipHistory, SITES } from './ownership-history.ts';

/** An action of a customer, an app or the operator on a hostname, or the passing of time. Returns a description for the log. */
type Action = (history: OwnershipHistory) => Promise<string | undefined> | string | undefined;

async function add(history: OwnershipHistory) {
  const name = history.pick(NAMES);
  if ((await findHold(history.world.context.store, history.hostname)) !== null) return undefined;
  await createDomain(history.world.context, history.caller(name), { body: { hostname: history.hostname } });
  return name;
}

async function remove(history: OwnershipHistory) {
  const domain = await history.domainOf(history.pick(NAMES));
  if (domain === null) return undefined;
  const name = history.nameOf(domain);
  await deleteDomain(history.world.context, history.caller(name), { params: { id: domain.id } });
  return name;
}

function pointByCname(history: OwnershipHistory) {
  const name = history.pick([...NAMES, 'nobody', 'elsewhere', 'sites'] as const);
  const names = { nobody: `nobody.${EDGE_ZONE}`, elsewhere: 'elsewhere.example', sites: SITES };
  const cname =
    name in names ? names[name as keyof typeof names] : history.label(name as (typeof NAMES)[number]);
  history.edit({ cname, addresses: name === 'elsewhere' ? [FOREIGN_V4] : [] });
  return name;
}

function pointByAddresses(history: OwnershipHistory) {
  const addresses = history.pick([[V4], [V4], [], [FOREIGN_V4]]);
  history.edit({ cname: null, addresses });
  return addresses.join();
}

/** Moves the hostname to an app, as its customer does: replaces the records by a CNAME, or by an address and a TXT record. */
async function moveTo(history: OwnershipHistory) {
  const domain = await history.domainOf(history.pick(NAMES));
  if (domain === null) return undefined;
  const name = history.nameOf(domain);
  const isByCname = !domain.is_apex && history.random() < 0.6;
  if (isByCname) history.edit({ cname: history.label(name), addresses: [] });
  else history.edit({ cname: null, addresses: [V4], txt: [domain.txt_value] });
  return `${name} by ${isByCname ? 'CNAME' : 'TXT'}`;
}

async function setTxt(history: OwnershipHistory) {
  const domain = await history.domainOf(history.pick(NAMES));
  if (domain === null) return undefined;
  const keeps = history.random() < 0.4;
  history.edit({ txt: [...new Set([...(keeps ? history.zone.txt : []), domain.txt_value])] });
  return `${history.nameOf(domain)}${keeps ? ' beside the others' : ''}`;
}

function removeTxt(history: OwnershipHistory) {
  history.edit({ txt: history.zone.txt.slice(1) });
  return undefined;
}

async function delegate(history: OwnershipHistory) {
  const domain = await history.domainOf(history.pick(NAMES));
  history.edit({ delegation: domain && delegationTarget(domain.id, CHALLENGE_ZONE) });
  return domain ? history.nameOf(domain) : 'nobody';
}

/** Gives a waiting domain its certificate before the DNS switch, as the job `prepare` does. */
async function prepare(history: OwnershipHistory) {
  const { context, clock } = history.world;
  const domain = await history.domainOf(history.pick(NAMES));
  if (domain === null || domain.status !== 'pending_dns') return undefined;
  const now = clock.now();
  const certificate = {
    issuer: 'CA',
    not_before: now,
    not_after: now + 90 * DAY_MS,
    renews_at: now + 60 * DAY_MS,
  };
  await saveDomain(autocommit(context.store), { ...domain, certificate });
  await takeFreeRoute(autocommit(context.store), domain.hostname, domain.id);
  return history.nameOf(domain);
}

async function issue(history: OwnershipHistory) {
  const issuing = (await history.domains()).filter(({ status }) => status === 'issuing');
  for (const { id } of issuing) await triggerDomain(history.world.context, id, 'certificate_issued');
  return undefined;
}

async function hold(history: OwnershipHistory) {
  if (history.random() < 0.8) return undefined;
  await holdHostname(history.world.context, history.hostname, null);
  return 'held';
}

async function release(history: OwnershipHistory) {
  if ((await findHold(history.world.context.store, history.hostname)) === null) return undefined;
  await releaseHostname(history.world.context, history.hostname);
  return 'released';
}

async function check(history: OwnershipHistory) {
  const domains = await history.domains();
  if (domains.length === 0) return undefined;
  const domain = history.pick(domains);
  await history.check(domain.id);
  return history.nameOf(domain);
}

async function passTime(history: OwnershipHistory) {
  const ms = history.pick([MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS, HOUR_MS, HOUR_MS, DAY_MS]);
  history.world.clock.move(ms);
  await history.world.work();
  return `${ms / MINUTE_MS} min`;
}

/** Changes the DNS record of app `a`'s white-label host, then sets and verifies the host. */
async function changeSites(history: OwnershipHistory) {
  const { context, clock } = history.world;
  const { app_id } = history.caller('a');
  const sites = history.pick([history.label('a'), history.label('a'), history.label('b'), null]);
  history.edit({ sites });
  await updateApp(autocommit(context.store), app_id, {
    whitelabel_host: SITES,
    whitelabel_set_at: clock.now(),
  });
  await checkWhitelabel(context, app_id);
  return sites ?? 'nothing';
}

async function changePlan(history: OwnershipHistory) {
  const plan = history.pick(['scale', 'scale', 'free'] as const);
  await changeAccount(history.world.context, 'operator', history.caller('a').account_id, {
    plan,
    card_on_file: true,
  });
  await history.world.work();
  return plan;
}

/** Makes the record changes that the status of a waiting or broken domain asks the customer to make. */
async function followChanges(history: OwnershipHistory) {
  const domain = await history.domainOf(history.pick(NAMES));
  const changes = domain?.status_detail?.changes ?? [];
  if (domain === null || changes.length === 0) return undefined;
  for (const change of changes) apply(history, change);
  history.counts.followed += 1;
  return `${history.nameOf(domain)}: ${changes.map(({ action, type, value }) => `${action} ${type} ${value}`).join(', ')}`;
}

function apply(history: OwnershipHistory, { action, type, value, of }: RecordChange): void {
  const { zone } = history;
  const gone = action === 'remove' ? { type, value } : of;
  const txt = zone.txt.filter((each) => gone?.type !== 'TXT' || each !== gone.value);
  const cname = gone?.type === 'CNAME' ? null : zone.cname;
  const addresses = zone.addresses.filter((each) => gone?.type !== 'A' || each !== gone.value);
  const adds = action !== 'remove';
  history.edit({
    txt: adds && type === 'TXT' ? [...txt, value] : txt,
    cname: adds && type === 'CNAME' ? value : cname,
    addresses: adds && type === 'A' ? [...addresses, value] : addresses,
  });
}

export const ACTIONS: readonly Action[] = [
  add,
  add,
  add,
  moveTo,
  moveTo,
  moveTo,
  remove,
  pointByCname,
  pointByCname,
  pointByAddresses,
  pointByAddresses,
  setTxt,
  setTxt,
  removeTxt,
  delegate,
  prepare,
  issue,
  issue,
  hold,
  release,
  release,
  check,
  check,
  check,
  check,
  check,
  check,
  check,
  check,
  check,
  passTime,
  changeSites,
  changePlan,
  followChanges,
  followChanges,
];
