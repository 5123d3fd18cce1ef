import { holdHostname, releaseHostname } from '../shared/operations/domains/hold-hostname.ts';
import { chaosSchema, toChaos } from './chaos/chaos-schema.ts';
import type { EmulatorComposition } from './compose.ts';
import { readAs } from './control/action.ts';
import { advanceSchema, clockSchema, errorsSchema, triggerSchema } from './control/bodies.ts';
import { triggerById } from './control/domains.ts';
import type { ClockHandle, Emulator } from './emulator.ts';
import type { RunningEmulator } from './run-emulator.ts';
import { seedSource } from './seed/seed-source.ts';
import { type ShownEmulator, showEmulator } from './shown-emulator.ts';
import { findDomainId } from './state/find-domain-id.ts';
import { awaitExpectation } from './time/await-expectation.ts';
import { type Expectation, readExpectation } from './time/expectation.ts';
import type { Advance } from './time/time-control.ts';

/**
 * Creates the object by which programs control an emulator. Its methods validate their arguments like the control surface, with the same
 * messages.
 */
export function createHandle(running: RunningEmulator): Emulator {
  const { surface, close } = running;
  const { emulator, base_seed } = surface;
  const { context, chaos, errors } = emulator;
  const shown = showEmulator(running);
  return Object.assign(shown, {
    clock: Object.assign(shown.clock, clockMoves(emulator)),
    trigger: async (domain, trigger, { reason } = {}) => {
      const read = readAs(triggerSchema, { trigger, ...(reason !== undefined && { reason }) });
      return triggerById(emulator, await findDomainId(emulator, domain), read);
    },
    waitFor: (expectation, { withinMs = 30_000 } = {}) => waitFor(emulator, expectation, withinMs),
    requests: () => emulator.requests.list(),
    mail: () => emulator.mails.list(),
    failNext: (error) => errors.force(readAs(errorsSchema, error)),
    chaos: (faults) => chaos.set(toChaos(readAs(chaosSchema, faults))),
    hold: async (hostname, reason) => void (await holdHostname(context, hostname, reason ?? null)),
    release: (hostname) => releaseHostname(context, hostname),
    async seed(seed) {
      const read = await (await seedSource(seed)).read();
      await emulator.applySeed(read.seed).catch((error: unknown) => {
        throw read.explain(error);
      });
    },
    reset: async () => emulator.reset(await base_seed()),
    [Symbol.asyncDispose]: close,
  } satisfies Omit<Emulator, keyof Omit<ShownEmulator, 'clock'>>);
}

function clockMoves({ time }: EmulatorComposition): Omit<ClockHandle, keyof ShownEmulator['clock']> {
  const advance = async (how: Advance) => ({ steps: (await time.advance(how)).steps });
  return {
    advance: async (by) => advance(typeof by === 'number' ? { by_ms: by } : readAs(advanceSchema, { by })),
    advanceTo: async (to) => advance(readAs(advanceSchema, { to })),
    untilIdle: () => advance({ until: 'idle' }),
    next: () => advance({ until: 'next' }),
    setMode: async (mode) => time.setMode(readAs(clockSchema, { mode }).mode),
  };
}

/** The error of a wait that timed out. It has the closest match. */
export class WaitTimeoutError extends Error {
  readonly code = 'wait_ran_out';
  readonly nearest: unknown;

  constructor(what: string, waited: string, nearest: unknown) {
    super(
      `${what} had not happened ${waited}. ${nearest === null ? 'Nothing similar was found.' : `Closest match: ${JSON.stringify(nearest)}`}`,
    );
    this.name = 'WaitTimeoutError';
    this.nearest = nearest;
  }
}

async function waitFor(
  emulator: EmulatorComposition,
  expectation: string | Expectation,
  withinMs: number,
): ReturnType<Emulator['waitFor']> {
  const read = typeof expectation === 'string' ? readExpectation(expectation) : expectation;
  const awaited = await awaitExpectation(emulator, read, withinMs, emulator.isClosed);
  if (awaited.met) return awaited.found;
  const what = typeof expectation === 'string' ? expectation : JSON.stringify(expectation);
  throw new WaitTimeoutError(what, awaited.waited, awaited.nearest);
}
