import type { EdgeKind, EdgeValues } from '../../../shared/core/edge/edge-value.ts';
import { edgeKey } from '../../../shared/core/edge/edge-value.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { findEdgeValues, listEdgeVersions } from '../../../shared/store/edge/edge-values.ts';
import { type JobWorld, jobWorld, status } from '../../jobs/job-world.ts';

export const HOST = 'careers.acme.com';

export interface ActiveWorld extends AsyncDisposable {
  world: JobWorld;
  context: Context;
  caller: Caller;
  id: DomainId;
}

/** Returns a world with one active domain, HOST, which has no certificate of an authority. */
export async function activeWorld(): Promise<ActiveWorld> {
  const world = await jobWorld();
  const { context } = world;
  context.outbound = { ...context.outbound, send: async () => status(200) };
  const caller: Caller = { ...(await world.addApp('acme')), mode: 'live' };
  const id = await addActive(world, caller, HOST);
  return { world, context, caller, id, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

export async function addActive(world: JobWorld, caller: Caller, hostname: string): Promise<DomainId> {
  const id = await world.addDomain(caller, hostname);
  for (const trigger of ['dns_confirmed', 'certificate_issued'] as const)
    await triggerDomain(world.context, id, trigger);
  return id;
}

/** Returns the version of each stored value, deleted ones too. */
export async function versionsOf({ store }: Context): Promise<Map<string, number>> {
  const rows = await listEdgeVersions(store, { after: '', limit: 10_000 });
  return new Map(rows.map(({ key, number }) => [key, number]));
}

/** Returns the keys of the values that `work` wrote, in order. */
export async function writtenBy(context: Context, work: () => Promise<unknown>): Promise<string[]> {
  const before = await versionsOf(context);
  await work();
  return [...(await versionsOf(context))].flatMap(([key, number]) =>
    before.get(key) === number ? [] : [key],
  );
}

/** Returns an opened value. Null if there is none, or if it was deleted. */
export async function storedValue<K extends EdgeKind>(
  { store, edges }: Context,
  kind: K,
  name: string,
): Promise<EdgeValues[K] | null> {
  const key = edgeKey(kind, name);
  const found = (await findEdgeValues(store, [key])).get(key);
  if (!found?.value || edges === null) return null;
  return edges.box.open({ ...found, value: found.value }) as EdgeValues[K];
}
