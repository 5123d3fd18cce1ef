import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ConnectionErrorKind } from '../../shared/core/edge/connection-error.ts';
import { localUrlOf } from '../address-url.ts';
import { createContainedErrors } from '../health/metrics.ts';
import { mergeMetrics, type ProcessMetrics } from './merged-metrics.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/** Metrics of a node with several processes: those of the parent, and those of each process with a label `process`. */
export interface NodeMetrics {
  /** Starts the restart count of a process at zero. */
  expect(process: string): void;
  lost(process: string): void;
  contained(kind: ConnectionErrorKind): void;
  /** Returns the metrics of all processes. It omits a process that does not respond in time, and its `nameplate_process_up` is 0. */
  text(all: readonly SupervisedProcess[]): Promise<string>;
}

const TIMEOUT_MS = 4000;
const PARENT = 'parent';

export function createProcessMetrics(): NodeMetrics {
  const parent = new Registry();
  collectDefaultMetrics({ register: parent });
  const contained = createContainedErrors(parent);
  const ofProcesses = new Registry();
  const registers = [ofProcesses];
  const up = new Gauge({
    name: 'nameplate_process_up',
    help: '1 while this process of the node listens and its metrics can be read',
    labelNames: ['process'],
    registers,
  });
  const restarts = new Counter({
    name: 'nameplate_process_restarts_total',
    help: 'Number of times this process of the node was replaced',
    labelNames: ['process'],
    registers,
  });
  return {
    expect: (process) => restarts.inc({ process }, 0),
    lost: (process) => restarts.inc({ process }),
    contained: (of) => contained.inc({ of }),
    async text(all) {
      const read = await Promise.all(all.map(readMetrics));
      for (const [index, each] of all.entries()) {
        up.set({ process: each.shown.name }, read[index] === null ? 0 : 1);
      }
      const known = read.filter((each) => each !== null);
      const merged = mergeMetrics([...known, { process: PARENT, text: await parent.metrics() }]);
      return `${merged}\n${await ofProcesses.metrics()}`;
    },
  };
}

async function readMetrics({ shown, addresses }: SupervisedProcess): Promise<ProcessMetrics | null> {
  if (addresses === null) return null;
  try {
    const response = await fetch(`${localUrlOf(addresses.admin)}/metrics`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? { process: shown.name, text: await response.text() } : null;
  } catch {
    return null; // `nameplate_process_up` shows the failure.
  }
}
