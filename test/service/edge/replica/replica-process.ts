import { openReplica } from '../../../../service/edge/replica/replica.ts';
import { monotonicClock } from '../../../../shared/adapters/system.ts';
import type { SealedValue } from '../../../../shared/core/edge/edge-value.ts';

/** A process with a machine's replica, which a test asks to write, freezes and kills. */

/** A value whose bytes are a text, so that it can be sent between processes. */
export type TextValue = Omit<SealedValue, 'value'> & { value: string | null };

export type Command =
  | { name: 'apply'; values: TextValue[] }
  | { name: 'holdsLease' }
  | { name: 'beat'; at: number }
  /** Writes values until the process is killed. */
  | { name: 'flood' };

const replica = openReplica(process.argv[2] ?? '');
process.on('message', (command: Command) => process.send?.({ result: run(command) }));
process.send?.({ result: 'open' });

function run(command: Command): unknown {
  if (command.name === 'holdsLease') return replica.holdsLease(monotonicClock.now());
  if (command.name === 'beat') return replica.beat(command.at, null) ?? null;
  if (command.name === 'apply') return apply(command.values);
  for (let number = 1; ; number++) {
    const keys = Array.from({ length: 50 }, (_, n) => `host.h${(number * 50 + n) % 5_000}.acme.com`);
    replica.apply(keys.map((key) => ({ key, epoch: 1, number, value: Buffer.alloc(2_000, number) })));
    if (number === 20) process.send?.({ result: 'flooding' });
  }
}

/** @returns why the values were not written; null if they were. */
function apply(values: readonly TextValue[]): string | null {
  try {
    replica.apply(values.map((each) => ({ ...each, value: bytesOf(each.value) })));
    return null;
  } catch (error) {
    return String(error);
  }
}

function bytesOf(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text);
}
