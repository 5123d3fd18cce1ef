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
  | { name: 'isReplaced' }
  /** Writes a value, and freezes the process in the middle of the transaction. */
  | { name: 'freeze'; value: TextValue }
  /** Writes values until the process is killed. */
  | { name: 'flood' };

const replica = openReplica(process.argv[2] ?? '');
process.on('message', (command: Command) => process.send?.({ result: run(command) }));
process.send?.({ result: 'open' });

function run(command: Command): unknown {
  if (command.name === 'holdsLease') return replica.holdsLease(monotonicClock.now());
  if (command.name === 'beat') return replica.beat(command.at, null) ?? null;
  if (command.name === 'apply') return apply(command.values.map(sealedOf));
  if (command.name === 'isReplaced') return replica.isReplaced();
  if (command.name === 'freeze') return apply([freezing(command.value)]);
  for (let number = 1; ; number++) {
    const keys = Array.from({ length: 50 }, (_, n) => `host.h${(number * 50 + n) % 5_000}.acme.com`);
    replica.apply(keys.map((key) => ({ key, epoch: 1, number, value: Buffer.alloc(2_000, number) })));
    if (number === 20) process.send?.({ result: 'flooding' });
  }
}

/** @returns why the values were not written; null if they were. */
function apply(values: readonly SealedValue[]): string | null {
  try {
    replica.apply(values);
    return null;
  } catch (error) {
    return String(error);
  }
}

function sealedOf(given: TextValue): SealedValue {
  return { ...given, value: given.value === null ? null : Buffer.from(given.value) };
}

/** Returns a value that freezes the process when it is read. */
function freezing(given: TextValue): SealedValue {
  const { value, ...rest } = sealedOf(given);
  return {
    ...rest,
    get value() {
      process.kill(process.pid, 'SIGSTOP');
      return value;
    },
  };
}
