import { TrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import { startTrafficWriter, type TrafficWriter } from '../../shared/edge/traffic/traffic-writer.ts';
import type { Context } from '../../shared/operations/context.ts';

/** Counts the requests that the emulator's edge serves. */
export interface CountedTraffic extends TrafficWriter {
  counter: TrafficCounter;
  /** Discards the counts that are not written yet. */
  clear(): void;
}

/** The API writes the counts before it reads them, so this only limits how much a killed emulator loses. */
const WRITE_EVERY_MS = 1000;

export function countTraffic(context: Pick<Context, 'store' | 'clock' | 'log'>): CountedTraffic {
  const counter = new TrafficCounter();
  return {
    counter,
    ...startTrafficWriter(context, counter, WRITE_EVERY_MS),
    clear: () => void counter.take(),
  };
}
