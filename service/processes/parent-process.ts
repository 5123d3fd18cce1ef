import type { ServiceNode } from '../node.ts';

/** Messages that a process of a node sends to the parent that forked it. */
export type ProcessMessage =
  | { kind: 'listening'; addresses: ServiceNode['addresses'] }
  /** The process is draining: it accepts no new work. */
  | { kind: 'draining' };

/** Sends a message to the parent, if one forked this process. A lost parent is not an error, because this process then ends too. */
export function tellParent(message: ProcessMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
