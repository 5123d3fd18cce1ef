import type { DomainId } from '../../shared/core/ids.ts';
import type { OutboundResult } from '../../shared/ports/outbound.ts';
import { type JobWorld, type Sent, status } from './job-world.ts';

/** Deliveries that wait until a test sets their response. */
export interface Waiting {
  sent: Sent;
  answer: (result: OutboundResult) => void;
}

/**
 * Makes deliveries wait until the test answers them.
 * @param hangs selects the deliveries that wait; all other deliveries get 200 immediately.
 * @returns the waiting deliveries, oldest first.
 */
export function hanging(world: JobWorld, hangs: (sent: Sent) => boolean = () => true): Waiting[] {
  const waiting: Waiting[] = [];
  world.answer = (sent) =>
    hangs(sent) ? new Promise((answer) => waiting.push({ sent, answer })) : status(200);
  return waiting;
}

/** Waits until a response has taken effect. The deliverer collects outcomes for one turn of the event loop before it records them. */
export async function turn(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Adds domains of a new app, each with its first event due. */
export async function addDomains(world: JobWorld, app: string, count: number): Promise<DomainId[]> {
  const caller = await world.addApp(app);
  const ids: DomainId[] = [];
  for (let i = 0; i < count; i++) ids.push(await world.addDomain(caller, `d${i}.${app}.example`));
  return ids;
}
