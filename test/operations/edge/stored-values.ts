import {
  type EdgeKind,
  type EdgeValues,
  edgeKey,
  type HostValue,
  splitKey,
} from '../../../shared/core/edge/edge-value.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { createEdgeReader, type EdgeReader } from '../../../shared/operations/edge/edge-reader.ts';
import type { CertificateSource, ChallengeSource } from '../../../shared/ports/certificates.ts';
import { listEdgeValues } from '../../../shared/store/edge/edge-values.ts';

/** Returns what an edge that has every value of the database would answer now. */
export async function storedReader(context: Context): Promise<EdgeReader> {
  const { store, edges, clock } = context;
  if (edges === null) throw new Error('this program publishes no values');
  const values = new Map<string, object>();
  for (const { value, ...at } of await listEdgeValues(store, { after: '', limit: 100_000 }))
    if (value !== null) values.set(at.key, edges.box.open({ ...at, value }));
  const find = <K extends EdgeKind>(kind: K, name: string) =>
    (values.get(edgeKey(kind, name)) as EdgeValues[K] | undefined) ?? null;
  const names = () => [...values.keys()].map(splitKey);
  return createEdgeReader(
    {
      find,
      certificateOf: (hostname) => (find('host', hostname) as HostValue | null)?.certificate ?? null,
      holds: () => new Set(names().flatMap(([kind, name]) => (kind === 'hold' ? [name] : []))),
    },
    clock,
  );
}

/** The certificates of an edge that has every value of the database. */
export function certificateSource(context: Context): CertificateSource {
  return {
    findCertificate: async (hostname) => (await storedReader(context)).certificates.findCertificate(hostname),
  };
}

/** The challenges of an edge that has every value of the database. */
export function challengeSource(context: Context): ChallengeSource {
  const challenges = async () => (await storedReader(context)).challenges;
  return {
    findKeyAuthorization: async (...asked) => (await challenges()).findKeyAuthorization(...asked),
    findChallengeCertificate: async (hostname) => (await challenges()).findChallengeCertificate(hostname),
  };
}
