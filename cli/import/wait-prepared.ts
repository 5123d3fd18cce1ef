import type { Client } from '../../shared/client/client.ts';
import type { World } from '../settings/world.ts';

/** The pause between two passes over the app's waiting domains. */
const PASS_MS = 15_000;

interface WaitOptions {
  list: Client['domains']['all'];
  world: World;
  timeoutMs: number;
  /** Called after each pass with the number of domains that no longer need a certificate. */
  show(done: number): void;
}

/**
 * Waits until each domain has its certificate or is past `pending_dns`. Reads only the domains in `pending_dns`, 100 a request.
 * Returns the hostnames that still have none after `timeoutMs`.
 */
export async function waitPrepared(
  ids: ReadonlySet<string>,
  { list, world, timeoutMs, show }: WaitOptions,
): Promise<string[]> {
  const startedMs = world.elapsedMs();
  for (;;) {
    const waiting: string[] = [];
    for await (const { id, hostname, ready_to_switch } of list({ status: 'pending_dns', limit: 100 })) {
      if (ids.has(id) && !ready_to_switch) waiting.push(hostname);
    }
    show(ids.size - waiting.length);
    const leftMs = timeoutMs - (world.elapsedMs() - startedMs);
    if (waiting.length === 0 || leftMs <= 0) return waiting;
    await world.sleep(Math.min(PASS_MS, leftMs));
  }
}
