import { onTestFinished } from 'vitest';
import { followValues } from '../../../service/edge/replica/follow-values.ts';
import { createPostgresSource } from '../../../service/edge/replica/postgres-source.ts';
import type { ValueSource } from '../../../service/edge/replica/value-source.ts';
import { createNatsSource } from '../../../service/nats/nats-source.ts';
import { openNats } from '../../../service/nats/open-nats.ts';
import { startRelay } from '../../../service/nats/relay.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import type { Log } from '../../../shared/ports/system.ts';
import { followedDatabase } from '../edge/replica/followed-database.ts';
import { newFolder, replicaIn, textOf } from '../edge/replica/sample-values.ts';

export const BUCKET = 'nameplate';

/** A database whose values relays send to NATS, and replicas that follow NATS. */
export async function relayedDatabase(servers: readonly string[], replicas = 1) {
  const database = await followedDatabase();
  const { store, notices } = database;

  const none = { user: null, password: null, credentials: null, caRoots: null, domain: null };
  function connected(
    node: string,
    log: Log,
    at: { servers: readonly string[]; domain?: string } = { servers },
  ) {
    const nats = openNats({ ...none, ...at, bucket: BUCKET, replicas, node, log });
    onTestFinished(nats.close);
    return nats;
  }

  return {
    ...database,
    connection: async () => (await connected('stranger', recordedLog([])).opened).nc,
    bucket: async () => (await connected('observer', recordedLog([])).opened).bucket,
    /** Opens a source that no replica follows. */
    source() {
      const source = createNatsSource(connected('observer', recordedLog([])), systemClock);
      onTestFinished(source.close);
      return source;
    },
    /** Starts a relay. @param ofTable changes what it reads from the table. */
    async relay(holder = 'relay-1', ofTable = (source: ValueSource): ValueSource => source) {
      const logged: string[] = [];
      const log = recordedLog(logged);
      const nats = connected(holder, log);
      const source = ofTable(createPostgresSource(store, notices));
      const options = {
        store,
        source,
        nats,
        holder,
        replicas,
        clock: systemClock,
        log,
      };
      const relay = startRelay(options);
      let closing: Promise<void> | null = null;
      const close = () => {
        closing ??= relay.close();
        return closing;
      };
      onTestFinished(close);
      return { ...relay, close, logged };
    },
    async edge(
      folder = newFolder(),
      node = 'edge-1',
      region: { servers: readonly string[]; domain?: string } = { servers },
    ) {
      const logged: string[] = [];
      const log = recordedLog(logged);
      const nats = connected(node, log, region);
      const source = createNatsSource(nats, systemClock);
      const replica = replicaIn(folder);
      const follower = followValues({ source, replica, clock: source.clock, log, pollMs: 50 });
      let closing: Promise<void> | null = null;
      const close = () => {
        closing ??= follower.close().then(() => {
          source.close();
          replica.close();
        });
        return closing;
      };
      onTestFinished(close);
      return {
        replica,
        folder,
        logged,
        close,
        ready: follower.ready,
        text: (key: string) => textOf(replica, key),
      };
    },
  };
}

export function recordedLog(lines: string[]): Log {
  const add = (_: unknown, message: string) => void lines.push(message);
  return { info: add, warn: add, error: add };
}
