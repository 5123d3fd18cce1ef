import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../shared/core/apps/app.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { parseHostname } from '../../shared/core/domains/hostname.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import type { DomainId, KeyId } from '../../shared/core/ids.ts';
import type { Caller, Context } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { updateDomain } from '../../shared/operations/domains/update-domain.ts';
import { findDomainById, findDomainOfApp } from '../../shared/store/domains/domains.ts';
import { countEvents, lastSeq, seedDelivery, silenceSince } from './seed-events.ts';
import { at } from './seed-problem.ts';
import type { DomainSeed, EventSeed } from './seed-schema.ts';
import { type Goal, wayTo } from './seed-walk.ts';

/** Where a domain stands in the seed, and what has happened to it. */
export interface SeedPlace {
  path: string;
  history: { event: EventSeed; path: string }[];
}

/** A domain as a seed names it: there, with these fields, with these events behind it, and in this status. */
export async function seedDomain(
  tx: Context,
  app: App,
  seed: DomainSeed,
  { path, history }: SeedPlace,
): Promise<void> {
  const { status, status_reason: reason } = seed;
  if (reason !== undefined && status === undefined) {
    throw validationFailed({ path: `${path}.status_reason`, message: 'needs a status beside it' });
  }
  const { hostname } = await at(`${path}.hostname`, async () =>
    parseHostname(seed.hostname, tx.settings.service_zones),
  );
  const there = await findDomainOfApp(tx.store, app.id, hostname);
  if (status === 'deleted' && there === null && history.length === 0) return;
  const seq = there === null ? 0 : await lastSeq(tx, there.id);
  const present = await at(path, () => bePresent(tx, app, seed, there));
  const goal: Goal | null = status === undefined ? null : { status, reason };
  let domain = await leadThrough(tx, present, goal, { path, history }).catch((error: unknown) => {
    if (there === null || !(error instanceof NoWay)) throw toProblem(error);
    return null;
  });
  // Written down and not sent: whoever wants deliveries says so, event by event.
  if (there !== null) await silenceSince(tx, there.id, seq);
  if (domain === null) {
    domain = await makeAnew(tx, present, () => at(path, () => bePresent(tx, app, seed, null)));
    domain = await leadThrough(tx, domain, goal, { path, history }).catch((error: unknown) => {
      throw toProblem(error);
    });
    await silenceSince(tx, present.id, seq);
  }
  if (domain.id !== there?.id) await silenceSince(tx, domain.id, 0);
  const counts = new Map<string, number>();
  for (const { event, path: place } of history) {
    const index = counts.get(event.type) ?? 0;
    counts.set(event.type, index + 1);
    const { id } = domain;
    await at(place, () => seedDelivery(tx, app, id, event, index));
  }
}

/** The state machine has no way back: what is there makes room for one that can get there. */
async function makeAnew(tx: Context, domain: Domain, create: () => Promise<Domain>): Promise<Domain> {
  const current = await reread(tx, domain.id);
  if (current.status !== 'deleted') await lead(tx, current, { status: 'deleted' }, '');
  return create();
}

/** One event after the other, those that it has behind it left out, and then to the status. @throws NoWay */
async function leadThrough(
  tx: Context,
  from: Domain,
  goal: Goal | null,
  { path, history }: SeedPlace,
): Promise<Domain> {
  let domain = from;
  const counts = new Map<string, number>();
  for (const { event, path: place } of history) {
    const wanted = (counts.get(event.type) ?? 0) + 1;
    counts.set(event.type, wanted);
    if ((await countEvents(tx, domain.id, event.type)) >= wanted) continue;
    domain = await lead(tx, domain, { event: event.type }, `${place}.type`);
  }
  return goal === null ? domain : lead(tx, domain, goal, `${path}.status`);
}

/** Created by the API's own operation, or changed where it is there and something else is said of it. */
async function bePresent(tx: Context, app: App, seed: DomainSeed, there: Domain | null): Promise<Domain> {
  const { hostname, origin, apex_redirect, metadata, origin_headers } = seed;
  const fields = { origin, apex_redirect, metadata, origin_headers };
  const caller = callerOf(app, seed);
  const id =
    there === null || there.mode !== seed.mode
      ? (await createDomain(tx, caller, { body: { hostname, ...fields } })).body.id
      : there.id;
  const others = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, there?.[name as keyof typeof fields]),
  );
  if (there !== null && others.length > 0) {
    await updateDomain(tx, caller, { params: { id }, body: Object.fromEntries(others) });
  }
  return reread(tx, id as DomainId);
}

/** As a key of the app that may do everything. */
function callerOf({ id, account_id }: App, { mode }: DomainSeed): Caller {
  return { app_id: id, account_id, key_id: 'key_seed' as KeyId, mode, idempotency: null };
}

/** The table of transitions has no way to what a seed names at this place. */
class NoWay extends Error {
  readonly path: string;

  constructor(path: string, from: Domain['status'], goal: Goal) {
    super(`no way leads from ${from} to ${'status' in goal ? goal.status : goal.event}`);
    this.name = 'NoWay';
    this.path = path;
  }
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof NoWay)) return error;
  return validationFailed({ path: error.path, message: error.message });
}

async function lead(tx: Context, domain: Domain, goal: Goal, path: string): Promise<Domain> {
  const way = wayTo(domain, goal, tx.clock.now());
  if (way === null) throw new NoWay(path, domain.status, goal);
  for (const [index, name] of way.entries()) {
    const last = index === way.length - 1;
    const reason = last && 'status' in goal ? goal.reason : undefined;
    const outcome = await at(path, () => triggerDomain(tx, domain.id, name, reason));
    if ('impossible' in outcome) throw new NoWay(path, outcome.status, goal);
  }
  return reread(tx, domain.id);
}

async function reread(tx: Context, id: DomainId): Promise<Domain> {
  const domain = await findDomainById(tx.store, id);
  if (domain === null) throw new TypeError(`the domain ${id} that was written is not there`);
  return domain;
}
