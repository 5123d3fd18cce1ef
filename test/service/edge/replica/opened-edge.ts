import { onTestFinished } from 'vitest';
import { type EdgeReplicaOptions, openEdgeReplica } from '../../../../service/edge/replica/edge-replica.ts';
import { createPostgresSource } from '../../../../service/edge/replica/postgres-source.ts';
import type { Notices } from '../../../../shared/ports/system.ts';
import type { Store } from '../../../../shared/store/store.ts';

/** The options of an edge that follows a database. */
export interface OpenedEdgeOptions
  extends Pick<EdgeReplicaOptions, 'folder' | 'box' | 'clock' | 'pollMs' | 'machine'> {
  store: Store;
  notices: Notices;
  /** The number of values in a statement. */
  page?: number;
}

type Line = { message: string; fields: Record<string, unknown> };

/** Opens a machine's replica until the test ends, and records what it logs and which changes it reports. */
export async function openedEdge({ store, notices, page, ...options }: OpenedEdgeOptions) {
  const changed: (string | null)[] = [];
  const apps: string[] = [];
  const logged: Line[] = [];
  const infos: Line[] = [];
  const addTo = (lines: Line[]) => (fields: Line['fields'], message: string) =>
    lines.push({ message, fields });
  const replica = await openEdgeReplica({
    log: { info: addTo(infos), warn: addTo(logged), error: addTo(logged) },
    source: createPostgresSource(store, notices, page),
    pollMs: 20,
    ...options,
  });
  await replica.complete;
  replica.subscribe({
    changed: (hostname) => changed.push(hostname),
    appChanged: (appId) => apps.push(appId),
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await replica.close();
    isClosed = true;
  };
  onTestFinished(close);
  return {
    ...replica,
    close,
    changed,
    apps,
    logged,
    messages: () => logged.map(({ message }) => message),
    /** Returns the comparisons with the database that have ended. */
    comparisons: () => infos.filter(({ message }) => message.includes('compared')),
  };
}
