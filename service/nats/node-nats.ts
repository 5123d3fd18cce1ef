import { randomUUID } from 'node:crypto';
import type { Clock, Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';
import type { ServiceConfig } from '../config.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import { type OpenedNats, openNats } from './open-nats.ts';
import { type Relay, startRelay } from './relay.ts';

/** Begins to connect a node to NATS. @returns null if no role of the node needs NATS. */
export function openNodeNats(
  { nats, edgeSource, edgeNode, roles }: ServiceConfig,
  log: Log,
): OpenedNats | null {
  const isFollowed = edgeSource === 'nats' && roles.some((role) => role === 'edge' || role === 'dns');
  if (nats === null || !(isFollowed || roles.includes('relay'))) return null;
  return openNats({ ...nats, node: edgeNode.name, log });
}

/** Starts the relay of a node. */
export function startNodeRelay(
  { nats: settings, edgeNode }: ServiceConfig,
  parts: { store: Store; source: ValueSource; nats: OpenedNats; clock: Clock; log: Log },
): Relay {
  // Names and process ids repeat in containers.
  const holder = `${edgeNode.name} ${process.pid} ${randomUUID()}`;
  return startRelay({ ...parts, holder, replicas: settings?.replicas ?? 1 });
}
