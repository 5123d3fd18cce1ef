import type { ServiceNode } from './node.ts';

/** What a process of a node tells the parent that forked it. */
export type ProcessMessage =
  | { kind: 'listening'; addresses: ServiceNode['addresses'] }
  /** It takes nothing new, whatever the reason. */
  | { kind: 'draining' };

/** Tells the parent, if one forked this process. A parent that has gone is no error: this process is about to end too. */
export function tellParent(message: ProcessMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
