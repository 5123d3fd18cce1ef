import { isDeepStrictEqual } from 'node:util';
import { cnameTarget } from '../../core/apps/app.ts';
import { challengeText } from '../../core/certificates/acme-challenge.ts';
import {
  dnsChallengeKey,
  type EdgeKind,
  type EdgeValues,
  edgeKey,
  httpChallengeKey,
  type SealedValue,
  splitKey,
  tlsChallengeKey,
} from '../../core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import type { Notice, ValueBox } from '../../ports/system.ts';
import {
  type EdgeChallenge,
  findDnsChallenges,
  findEdgeChallenges,
} from '../../store/certificates/challenges.ts';
import { findHoldNames } from '../../store/domains/holds.ts';
import { findRoutedDomains } from '../../store/domains/routes.ts';
import { findEdgeDrains } from '../../store/edge/edge-drains.ts';
import {
  claimEpoch,
  findEdgeValues,
  findPublished,
  lockEdgeKeys,
  saveEdgeValues,
} from '../../store/edge/edge-values.ts';
import type { TxContext } from '../context.ts';
import { readApps, readHosts } from './read-edge-values.ts';

/** How long the row of a deleted value stays. An edge whose position is older than half of this time compares all its values. */
export const EDGE_DELETIONS_KEPT_MS = 30 * DAY_MS;

/** A chain or challenge in use is written again once it is older than this. So an older one is not in use (`reconcileEdgeValues`). */
export const EDGE_RENEWED_MS = 30 * DAY_MS;
const RENEWED: ReadonlySet<string> = new Set<EdgeKind>(['chain', 'challenge', 'dns']);

/** The box and the installation with which a program publishes values to edges in other processes. */
export interface EdgePublishing {
  box: ValueBox;
  /** The random id that the installation gets if this is its first node. */
  installation: string;
}

/** The subjects that a transaction may have changed for edges. */
export interface EdgeSubjects {
  hostnames: ReadonlySet<string>;
  /** Names of holds. */
  holds: ReadonlySet<string>;
  /** Names of edge machines that were drained or undrained. */
  drains: ReadonlySet<string>;
  apps: ReadonlySet<AppId>;
  challenges: readonly EdgeChallenge['at'][];
  /** The domains whose DNS-01 challenges may have changed. */
  delegations: ReadonlySet<DomainId>;
}

type Values = Map<string, EdgeValues[keyof EdgeValues] | null>;
type Entry = [key: string, value: EdgeValues[keyof EdgeValues] | null];

/** Returns the subjects of notices. */
export function subjectsOf(notices: readonly Notice[]): EdgeSubjects {
  const subjects = {
    hostnames: new Set<string>(),
    holds: new Set<string>(),
    drains: new Set<string>(),
    apps: new Set<AppId>(),
    challenges: [] as EdgeChallenge['at'][],
    delegations: new Set<DomainId>(),
  };
  for (const notice of notices) {
    if (notice.kind === 'route') subjects.hostnames.add(notice.hostname);
    else if (notice.kind === 'hold') subjects.holds.add(notice.hostname);
    else if (notice.kind === 'drain') subjects.drains.add(notice.node);
    else if (notice.kind === 'routes') subjects.apps.add(notice.app_id);
    else if (notice.kind === 'challenge') {
      subjects.challenges.push(notice);
      subjects.delegations.add(notice.domain_id);
    }
  }
  return subjects;
}

/**
 * Writes the values of these subjects in the transaction that changed them (`decisions/0101`). It derives each value from the tables, so a
 * caller only names the subjects. It does not write a value that stays the same.
 * @returns the number of values that differed.
 */
export async function publishEdgeValues(
  tx: TxContext,
  { box, installation }: EdgePublishing,
  subjects: EdgeSubjects,
): Promise<number> {
  const { store } = tx;
  const { hostnames, holds, drains, apps, challenges, delegations } = subjects;
  const count = hostnames.size + holds.size + drains.size + apps.size + challenges.length + delegations.size;
  if (count === 0) return 0;
  const locked = [
    ...[...hostnames].map((name) => edgeKey('host', name)),
    ...[...holds].map((name) => edgeKey('hold', name)),
    ...[...drains].map((node) => edgeKey('drain', node)),
    // The domain that has a hostname decides whose challenges the hostname and its `www.` name answer.
    ...[...hostnames].flatMap((name) => [tlsChallengeKey(name), tlsChallengeKey(`www.${name}`)]),
    ...[...apps].map((id) => edgeKey('app', id)),
    ...challenges.map(({ hostname }) => tlsChallengeKey(hostname)),
    ...[...delegations].map(dnsChallengeKey),
  ];
  await lockEdgeKeys(store, locked);
  const { values, needed } = await deriveValues(tx, subjects);
  const { stored, epoch } = await findPublished(store, [...values.keys(), ...needed.keys()]);
  const differs = ([key, value]: Entry) => !isStored(box, stored.get(key), value);
  const oldest = tx.clock.now() - EDGE_RENEWED_MS;
  const isDue = (entry: Entry) =>
    differs(entry) || (entry[1] !== null && isOld(stored.get(entry[0]), oldest));
  const missing = [...needed].filter(([key, { value }]) =>
    value === undefined ? !box.isCurrent(stored.get(key)?.value ?? NOTHING) : isDue([key, value]),
  );
  if (missing.length > 0) {
    const keys = missing.map(([key]) => key);
    await lockEdgeKeys(store, keys);
    // Another transaction may have written these values before this one had the locks.
    for (const [key, value] of await findEdgeValues(store, keys)) stored.set(key, value);
    for (const [key, { read }] of missing) {
      const value = await read();
      if (value !== null) values.set(key, value);
    }
  }
  const changed = [...values].filter(isDue);
  if (changed.length === 0) return 0;
  const claimed = epoch ?? (await claimEpoch(store, installation));
  const sealed = changed.map(([key, value]): SealedValue => {
    // The number of a new key starts from the time, because the table may have forgotten earlier values of the key.
    const at = { key, epoch: claimed, number: Math.max(stored.get(key)?.number ?? 0, tx.clock.now()) + 1 };
    return { ...at, value: value && box.seal(at, value) };
  });
  await saveEdgeValues(store, sealed, tx.clock.now());
  return changed.filter(differs).length;
}

/** Stands for a value that is not stored. */
const NOTHING = new Uint8Array();

interface Derived {
  values: Values;
  /** The values that the derived values refer to. They are written if they are missing, or differ from a known `value`. */
  needed: Map<string, { value?: EdgeValues['chain']; read(): Promise<EdgeValues[keyof EdgeValues] | null> }>;
}

async function deriveValues(
  tx: TxContext,
  { hostnames, holds, drains, apps, challenges, delegations }: EdgeSubjects,
): Promise<Derived> {
  const { store } = tx;
  const names = [...hostnames];
  const challenged = [...names, ...challenges.map(({ hostname }) => hostname)];
  const [domains, held, drained, appValues, open, texts] = await Promise.all([
    names.length === 0 ? [] : findRoutedDomains(store, names),
    findHoldNames(store, [...holds]),
    drains.size === 0 ? [] : findEdgeDrains(store, [...drains]),
    readApps(tx, [...apps]),
    challenged.length === 0 ? [] : findEdgeChallenges(store, challenges, challenged),
    readTexts(tx, delegations),
  ]);
  const hosts = await readHosts(tx, domains);
  const values: Values = new Map();
  const needed: Derived['needed'] = new Map();
  for (const name of names) {
    const host = hosts.get(name);
    if (host?.value !== null) values.set(edgeKey('host', name), host?.value ?? null);
  }
  for (const name of holds) values.set(edgeKey('hold', name), held.has(name) ? {} : null);
  for (const node of drains)
    values.set(edgeKey('drain', node), drained.some((drain) => drain.node === node) ? {} : null);
  // A value that this process cannot derive, for lack of a key, stays as it is stored.
  for (const [id, value] of appValues) values.set(edgeKey('app', id), value);
  // A hostname may have an open challenge besides one that was closed.
  for (const [key, value] of open.flatMap((challenge) => challengeValues(tx, challenge)))
    if (value !== null || !values.has(key)) values.set(key, value);
  for (const [key, value] of texts) values.set(key, value);
  for (const { value, chain } of hosts.values()) {
    const appId = value?.app_id;
    if (appId !== undefined)
      needed.set(edgeKey('app', appId), {
        read: async () => (await readApps(tx, [appId])).get(appId) ?? null,
      });
    if (chain === null) continue;
    const chainValue = { chain: chain.pem };
    needed.set(edgeKey('chain', chain.hash), { value: chainValue, read: async () => chainValue });
  }
  return { values, needed };
}

/** Returns the TXT values of each domain. All open challenges of a domain, also those of its `www.` name, use one DNS name. */
async function readTexts({ store }: TxContext, domains: ReadonlySet<DomainId>): Promise<Values> {
  const open = domains.size === 0 ? [] : await findDnsChallenges(store, [...domains]);
  const byDomain = Map.groupBy(open, ({ domain_id }) => domain_id);
  return new Map(
    [...domains].map((id) => {
      const texts = byDomain.get(id)?.map(({ key_authorization }) => challengeText(key_authorization));
      return [dnsChallengeKey(id), texts === undefined ? null : { texts: texts.toSorted() }];
    }),
  );
}

/**
 * Returns the values of a challenge. A request to a hostname finds only challenges of the domain that has it now. A request to an app's
 * CNAME target, to which old hosts redirect, finds only challenges of that app (`docs/moving-in.md`).
 */
function challengeValues(
  { settings }: TxContext,
  { at: { hostname, token }, target_label, is_held, method, key_authorization }: EdgeChallenge,
): [key: string, value: EdgeValues['challenge'] | null][] {
  const value = key_authorization === null ? null : { key_authorization };
  const held = is_held ? value : null;
  const target = cnameTarget({ target_label }, settings.edgeZone);
  return [
    [tlsChallengeKey(hostname), method === 'tls-alpn-01' ? held : null],
    [httpChallengeKey(hostname, token), method === 'http-01' ? held : null],
    [httpChallengeKey(target, token), method === 'http-01' ? value : null],
  ];
}

function isOld(stored: SealedValue | undefined, oldest: Instant): boolean {
  return stored !== undefined && stored.number < oldest && RENEWED.has(splitKey(stored.key)[0]);
}

function isStored(box: ValueBox, stored: SealedValue | undefined, value: object | null): boolean {
  if (stored === undefined || stored.value === null) return value === null;
  if (value === null || !box.isCurrent(stored.value)) return false;
  try {
    return isDeepStrictEqual(box.open({ ...stored, value: stored.value }), value);
  } catch {
    return false; // A value that cannot be opened is written again.
  }
}
