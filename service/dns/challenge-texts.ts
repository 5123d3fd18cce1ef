import { createEdgeReader, type EdgeReader } from '../../shared/operations/edge/edge-reader.ts';
import { type EdgeReplicaOptions, openEdgeReplica } from '../edge/replica/edge-replica.ts';

/** The answers to open DNS-01 challenges, from the replica of this machine. */
export interface ChallengeTexts {
  /** Returns the texts at a label of the challenge zone. Returns none until the replica is open. */
  findTexts(label: string): readonly string[];
  close(): Promise<void>;
}

/** Opens the machine's replica in the background, because the DNS server starts without its database. */
export function openChallengeTexts(
  source: Pick<EdgeReplicaOptions, 'folder' | 'box' | 'store' | 'clock' | 'notices' | 'log'>,
): ChallengeTexts {
  let reader: EdgeReader | null = null;
  const opening = openEdgeReplica({ ...source, waitsForCopy: false });
  const opened = opening.then(
    (replica) => {
      reader = createEdgeReader(replica, source.clock);
      return replica;
    },
    (error: unknown) => {
      source.log.error({ error }, 'the replica cannot be opened, so this node answers no challenges');
      return null;
    },
  );
  return {
    findTexts: (label) => reader?.findDnsTexts(label) ?? [],
    close: async () => (await opened)?.close(),
  };
}
