import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../shared/core/apps/app.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { parseHostname } from '../../shared/core/domains/hostname.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import type { DomainId, KeyId } from '../../shared/core/ids.ts';
import type { Caller, TxContext } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { updateDomain } from '../../shared/operations/domains/update-domain.ts';
import { findDomainById, findDomainOfApp } from '../../shared/store/domains/domains.ts';
import { runBeforeCommit } from '../../shared/store/store.ts';
import { countEvents, lastSeq, seedDelivery, silenceSince } from './seed-events.ts';
import { at } from './seed-problem.ts';
import type { DomainSeed, EventSeed } from './seed-schema.ts';
import { type Goal, triggersTo } from './seed-walk.ts';

/** The path of a domain in the seed, and the events that the seed lists for it. */
export interface SeedEntry {
  path: string;
  history: { event: EventSeed; path: string }[];
}

/** Creates or updates a domain as the seed describes it: its fields, its past events and its status. */
export async function seedDomain(
  tx: TxContext,
  app: App,
  seed: DomainSeed,
  { path, history }: SeedEntry,
): Promise<void> {
  const { status, status_reason: reason } = seed;
  if (reason !== undefined && status === undefined) {
    throw validationFailed({ path: `${path}.status_reason`, message: 'needs a status too' });
  }
  const { hostname } = await at(`${path}.hostname`, async () =>
    parseHostname(seed.hostname, tx.settings.serviceZones),
  );
  const there = await findDomainOfApp(tx.store, app.id, hostname);
  if (status === 'deleted' && there === null && history.length === 0) return;
  const seq = there === null ? 0 : await lastSeq(tx, there.id);
  const present = await at(path, () => createOrUpdate(tx, app, seed, there));
  const goal: Goal | null = status === undefined ? null : { status, reason };
  let domain = await replayHistory(tx, present, goal, { path, history }).catch((error: unknown) => {
    if (there === null || !(error instanceof UnreachableGoal)) throw toProblem(error);
    return null;
  });
  // Seeded events are recorded but not sent, unless the seed gives the event a delivery.
  if (there !== null) await silenceSince(tx, there.id, seq);
  if (domain === null) {
    domain = await recreate(tx, present, () => at(path, () => createOrUpdate(tx, app, seed, null)));
    domain = await replayHistory(tx, domain, goal, { path, history }).catch((error: unknown) => {
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

/**
 * Deletes a domain and creates a new domain with the same hostname, because no transitions lead from the existing domain to the seed's
 * status.
 */
async function recreate(tx: TxContext, domain: Domain, create: () => Promise<Domain>): Promise<Domain> {
  const current = await reread(tx, domain.id);
  if (current.status !== 'deleted') await driveTo(tx, current, { status: 'deleted' }, '');
  return create();
}

/**
 * Runs the transitions that emit the seed's events, in order, except for events that the domain already has. Then runs the transitions that
 * lead to the seed's status.
 *
 * @throws UnreachableGoal
 */
async function replayHistory(
  tx: TxContext,
  from: Domain,
  goal: Goal | null,
  { path, history }: SeedEntry,
): Promise<Domain> {
  let domain = from;
  const counts = new Map<string, number>();
  for (const { event, path: place } of history) {
    const wanted = (counts.get(event.type) ?? 0) + 1;
    counts.set(event.type, wanted);
    if ((await countEvents(tx, domain.id, event.type)) >= wanted) continue;
    domain = await driveTo(tx, domain, { event: event.type }, `${place}.type`);
  }
  return goal === null ? domain : driveTo(tx, domain, goal, `${path}.status`);
}

/** Creates the domain with the API's own operation, or updates it if it exists and the seed changes a field. */
async function createOrUpdate(
  tx: TxContext,
  app: App,
  seed: DomainSeed,
  there: Domain | null,
): Promise<Domain> {
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
  await runBeforeCommit(tx.store);
  return reread(tx, id as DomainId);
}

/** Returns a caller with all permissions on the app. */
function callerOf({ id, account_id }: App, { mode }: DomainSeed): Caller {
  return { app_id: id, account_id, key_id: 'key_seed' as KeyId, mode, idempotency: null };
}

/** Thrown if the table of transitions has no path to the status or event that the seed names. */
class UnreachableGoal extends Error {
  readonly path: string;

  constructor(path: string, from: Domain['status'], goal: Goal) {
    super(`a domain cannot get from ${from} to ${'status' in goal ? goal.status : goal.event}`);
    this.name = 'UnreachableGoal';
    this.path = path;
  }
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof UnreachableGoal)) return error;
  return validationFailed({ path: error.path, message: error.message });
}

async function driveTo(tx: TxContext, domain: Domain, goal: Goal, path: string): Promise<Domain> {
  const triggers = triggersTo(domain, goal, tx.clock.now());
  if (triggers === null) throw new UnreachableGoal(path, domain.status, goal);
  for (const [index, name] of triggers.entries()) {
    const last = index === triggers.length - 1;
    const reason = last && 'status' in goal ? goal.reason : undefined;
    const outcome = await at(path, () => triggerDomain(tx, domain.id, name, reason));
    if (!outcome.ok) throw new UnreachableGoal(path, outcome.problem.status, goal);
  }
  return reread(tx, domain.id);
}

async function reread(tx: TxContext, id: DomainId): Promise<Domain> {
  const domain = await findDomainById(tx.store, id);
  if (domain === null) throw new TypeError(`the domain ${id} was written but cannot be found`);
  return domain;
}
