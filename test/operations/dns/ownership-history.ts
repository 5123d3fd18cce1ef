import { createIds } from '../../../shared/adapters/system.ts';
import { delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { isProvisional } from '../../../shared/core/domains/ownership.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { findDomainsAt } from '../../../shared/store/domains/domains-of-hostname.ts';
import { findRoute } from '../../../shared/store/domains/routes.ts';
import { autocommit, type Store } from '../../../shared/store/store.ts';
import { seededRandom } from '../../fixtures/seeded-random.ts';
import { type DnsWorld, dnsWorld, EDGE_ZONE } from './dns-world.ts';
import { ACTIONS } from './ownership-actions.ts';

export const CHALLENGE_ZONE = `acme.${EDGE_ZONE}`;
export const SITES = 'sites.agency.com';
export const NAMES = ['a', 'b', 'c'] as const;
export type Name = (typeof NAMES)[number];

/** The DNS records at and around one hostname of the customer. */
export interface Zone {
  /** The target of the hostname's CNAME; null if the hostname has addresses. */
  cname: string | null;
  addresses: readonly string[];
  txt: readonly string[];
  /** The target of the CNAME record at `_acme-challenge`. */
  delegation: string | null;
  /** The CNAME target of the white-label host of app `a`. */
  sites: string | null;
}

export interface History {
  steps: number;
  checks: number;
  /** How many times the hostname moved to another domain. */
  changes: number;
  /** How many times the customer made the changes that a finding asked for. */
  followed: number;
}

/** A broken invariant. The message lists the steps that led to it. */
export class Violation extends Error {
  override name = 'Violation';
}

/**
 * Runs a random history of three apps, one hostname and its zone through the real operations, and checks the rules of ownership after each
 * step.
 * @param options.hostname a subdomain or an apex. @throws Violation with the steps so far.
 */
export async function runHistory(
  options: { seed: number; steps: number; hostname: string },
  store?: Store,
): Promise<History> {
  await using world = await dnsWorld(store);
  const history = new OwnershipHistory(world, options.hostname, seededRandom(options.seed));
  await history.begin();
  try {
    for (let step = 0; step < options.steps; step += 1) await history.step();
    await history.rest();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`seed ${options.seed}: ${error.message}\n${history.log.slice(-25).join('\n')}`);
  }
  return history.counts;
}

export class OwnershipHistory {
  readonly log: string[] = [];
  readonly counts: History = { steps: 0, checks: 0, changes: 0, followed: 0 };
  private readonly callers = new Map<Name, Caller>();
  private readonly labels = new Map<Name, string>();
  zone: Zone = { cname: null, addresses: [], txt: [], delegation: null, sites: null };
  /**
   * `seen` has all TXT values that were ever in the zone. `stale` has the values from before the hostname's last move to another domain.
   */
  private seen = new Set<string>();
  private stale = new Set<string>();
  /** The times of each live domain's checks since the last change of the zone. */
  private checkedAt = new Map<DomainId, number[]>();

  readonly world: DnsWorld;
  readonly hostname: string;
  readonly random: () => number;

  constructor(world: DnsWorld, hostname: string, random: () => number) {
    this.world = world;
    this.hostname = hostname;
    this.random = random;
  }

  async begin(): Promise<void> {
    const { world } = this;
    const bytes = (count: number) =>
      Uint8Array.from({ length: count }, () => Math.floor(this.random() * 256));
    Object.assign(world.context, { random: bytes, ids: createIds(world.clock, bytes) });
    world.context.settings = { ...world.context.settings, challengeZone: CHALLENGE_ZONE };
    for (const name of NAMES) {
      const caller = await world.addLiveApp(`${name}${Math.floor(this.random() * 1e9)}`);
      this.callers.set(name, caller);
      const { target_label } = await getApp(world.context.store, caller.app_id);
      this.labels.set(name, `${target_label}.${EDGE_ZONE}`);
    }
    world.says = () => {
      const { cname, addresses, txt } = this.zone;
      const chain =
        cname === null ? [] : [cname, ...(cname === SITES && this.zone.sites ? [this.zone.sites] : [])];
      const a = [...chain.map((each) => `CNAME ${each}`), ...addresses.map((each) => `A ${each}`)];
      const view = {
        a: a.length === 0 ? ('nodata' as const) : a,
        aaaa: 'nodata' as const,
        txt: txt.length === 0 ? ('nodata' as const) : txt.map((value) => `TXT ${value}`),
      };
      return { zone: [view], resolvers: [view, view, view] };
    };
    world.context.cnameLookup = {
      chain: async (host) => {
        if (host === SITES) return this.zone.sites === null ? [] : [this.zone.sites];
        return this.zone.delegation === null ? [] : [this.zone.delegation];
      },
    };
  }

  /** Takes one random step, then checks the invariants. */
  async step(): Promise<void> {
    this.counts.steps += 1;
    const before = await this.owned();
    const zone = { ...this.zone };
    const action = this.pick(ACTIONS);
    const what = await action(this);
    this.log.push(`${action.name}${what === undefined ? '' : ` ${what}`}`);
    await this.examine(before, zone);
  }

  /** Checks that statuses settle: if the zone does not change, no status changes any more after two checks of every domain. */
  async rest(): Promise<void> {
    for (let round = 0; round < 4; round += 1) await this.checkAll();
    const settled = await this.statuses();
    for (let round = 0; round < 2; round += 1) await this.checkAll();
    const later = await this.statuses();
    if (settled !== later)
      throw new Violation(`the hostname does not come to rest: ${settled} became ${later}`);
  }

  private async statuses(): Promise<string> {
    const domains = await this.domains();
    return JSON.stringify(
      domains.map(({ id, status }) => [id.slice(-4), status === 'expired' ? 'pending_dns' : status]),
    );
  }

  private async checkAll(): Promise<void> {
    for (const { id } of this.shuffled(await this.domains())) await this.check(id);
    this.world.clock.move(MINUTE_MS);
    for (const { id, status } of await this.domains())
      if (status === 'issuing') await triggerDomain(this.world.context, id, 'certificate_issued');
  }

  domains(): Promise<Domain[]> {
    return findDomainsAt(this.world.context.store, this.hostname);
  }

  /** Returns the domain that has the route of the hostname. */
  private async owned(): Promise<Domain | null> {
    const route = await findRoute(this.world.context.store, this.hostname);
    const owner = (await this.domains()).find(({ id }) => id === route?.domain_id);
    return owner === undefined || isProvisional(owner) ? null : owner;
  }

  private async examine(before: Domain | null, zone: Zone): Promise<void> {
    const after = await this.owned();
    const domains = await this.domains();
    if (after !== null && after.id !== before?.id) {
      this.counts.changes += 1;
      this.checkedAt = new Map();
      this.examineChange(domains, before, after, zone);
    }
    for (const domain of domains) await this.examineLive(domain, after);
    const live = domains.filter(({ status }) => ['issuing', 'active', 'cert_failed'].includes(status));
    if (live.length > 1) throw new Violation(`${live.map(({ id }) => id)} are live at once`);
    if (live[0] && live[0].id !== after?.id)
      throw new Violation(`${live[0].id} is live without the hostname`);
  }

  /**
   * Checks that a route moves only to a domain that the CNAME chain names, or that a TXT record names while the former domain's record is
   * absent.
   */
  private examineChange(domains: readonly Domain[], before: Domain | null, after: Domain, zone: Zone): void {
    const named = this.namedByChain(zone);
    const isNamedByTxt = named === null && zone.txt.includes(after.txt_value);
    const isByDelegation =
      named === null &&
      zone.delegation === delegationTarget(after.id, CHALLENGE_ZONE) &&
      after.retired_at === null;
    const isMoved = before !== null && domains.some(({ id }) => id === before.id);
    const isHolderSilent = before !== null && !zone.txt.includes(before.txt_value);
    const isRight = isMoved
      ? named === this.nameOf(after) || (isNamedByTxt && isHolderSilent)
      : named === this.nameOf(after) || isNamedByTxt || isByDelegation;
    if (isNamedByTxt && this.stale.has(after.txt_value))
      throw new Violation(`an old TXT record moved the hostname to ${this.nameOf(after)}`);
    this.stale = new Set(this.seen);
    if (!isRight)
      throw new Violation(`${this.nameOf(after)} got the hostname from ${before && this.nameOf(before)}`);
    const standing = domains.filter(({ id, txt_value }) => id !== after.id && zone.txt.includes(txt_value));
    if (standing.length > 0)
      throw new Violation('a record that already stood there could move the hostname back');
    const leftover = domains.find(({ id, retired_at }) => id !== after.id && retired_at === null);
    if (leftover) throw new Violation(`the delegation of ${this.nameOf(leftover)} still names it`);
  }

  /**
   * Checks that no domain is still live if the CNAME chain names another app, two checks have passed, and no grace period of the
   * white-label host runs.
   */
  private async examineLive(domain: Domain, holder: Domain | null): Promise<void> {
    if (domain.status !== 'active' && domain.status !== 'issuing') return;
    const named = this.namedByChain(this.zone);
    const times = this.checkedAt.get(domain.id) ?? [];
    const isLong = times.length >= 3 && (times.at(-1) ?? 0) - (times[0] ?? 0) >= 2 * MINUTE_MS;
    const isForeign = named === 'nobody' || (named !== null && named !== this.nameOf(domain));
    if (!isLong || !isForeign || holder?.id !== domain.id) return;
    const app = await getApp(this.world.context.store, domain.app_id);
    const isKept =
      this.zone.cname === SITES && app.whitelabel_host === SITES && domain.routed_through === SITES;
    if (!isKept)
      throw new Violation(`${this.nameOf(domain)} stays ${domain.status} while the chain names ${named}`);
  }

  private namedByChain({ cname, sites }: Zone): Name | 'nobody' | null {
    const labels = [cname, cname === SITES ? sites : null];
    for (const [name, label] of this.labels) if (labels.includes(label)) return name;
    return labels.some((label) => label?.endsWith(`.${EDGE_ZONE}`)) ? 'nobody' : null;
  }

  nameOf({ app_id }: Pick<Domain, 'app_id'>): Name {
    const found = NAMES.find((name) => this.callers.get(name)?.app_id === app_id);
    if (found === undefined) throw new Error(`no app ${app_id}`);
    return found;
  }

  caller(name: Name): Caller {
    const caller = this.callers.get(name);
    if (caller === undefined) throw new Error(`no app ${name}`);
    return caller;
  }

  label(name: Name): string {
    return this.labels.get(name) ?? '';
  }

  edit(change: Partial<Zone>): void {
    this.zone = { ...this.zone, ...change };
    for (const value of this.zone.txt) this.seen.add(value);
    this.checkedAt = new Map();
  }

  async domainOf(name: Name): Promise<Domain | null> {
    const { app_id } = this.caller(name);
    return (
      (await this.domains()).find((domain) => domain.app_id === app_id && domain.mode === 'live') ?? null
    );
  }

  /** Runs the check of a domain now, even if it is not due. */
  async check(id: DomainId): Promise<void> {
    const { context, clock } = this.world;
    await autocommit(context.store)
      .db.updateTable('jobs')
      .set({ due_at: clock.now() })
      .where('subject_id', '=', id)
      .where('kind', '=', 'check_dns')
      .execute();
    await this.world.work();
    this.counts.checks += 1;
    // The service does not check a domain that is on hold.
    if ((await this.world.domain(id)).status !== 'held')
      this.checkedAt.set(id, [...(this.checkedAt.get(id) ?? []), clock.now()]);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.random() * values.length)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, at: this.random() }))
      .toSorted((one, two) => one.at - two.at)
      .map(({ value }) => value);
  }
}
