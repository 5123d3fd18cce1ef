import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ConnectionErrorKind } from '../../shared/core/edge/connection-error.ts';
import { createContainedErrors } from '../health/metrics.ts';
import { checkProcess, readFrom } from './process-health.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/** Metrics of one process, as Prometheus text. */
export interface ProcessMetrics {
  process: string;
  text: string;
}

const TIMEOUT_MS = 4000;

/**
 * Creates the metrics of a node with several processes. They contain the metrics of the parent and of each process, with a label `process`.
 */
export function createProcessMetrics() {
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
    /** Starts the restart count of a process at zero. */
    expect: (process: string) => restarts.inc({ process }, 0),
    lost: (process: string) => restarts.inc({ process }),
    contained: (of: ConnectionErrorKind) => contained.inc({ of }),
    /**
     * Returns the metrics of all processes. Leaves out a process that does not respond in time, and sets its `nameplate_process_up` to 0.
     */
    async text(all: readonly SupervisedProcess[]): Promise<string> {
      const read = await Promise.all(all.map(readMetrics));
      for (const [index, each] of all.entries()) {
        up.set({ process: each.shown.name }, read[index] === null ? 0 : 1);
      }
      const known = read.filter((each) => each !== null);
      const merged = mergeMetrics([...known, { process: 'parent', text: await parent.metrics() }]);
      return `${merged}\n${await ofProcesses.metrics()}`;
    },
  };
}

async function readMetrics(process: SupervisedProcess): Promise<ProcessMetrics | null> {
  const { name, state } = await checkProcess(process);
  const text = state === 'ready' ? await readFrom(process, '/metrics', TIMEOUT_MS) : null;
  return text === null ? null : { process: name, text };
}

/**
 * Merges the metrics of several processes into one text. Each series gets a label `process`. Does not add up series: the sum would fall
 * when a process is replaced, and `rate()` would treat this as a counter reset of all processes.
 */
export function mergeMetrics(all: readonly ProcessMetrics[]): string {
  const families = new Map<string, { head: string; samples: string[] }>();
  for (const { process, text } of all) {
    for (const block of text.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = block.split('\n').filter((line) => line !== '');
      if (help === '') continue;
      const family = families.get(help) ?? { head: `${help}\n${type}`, samples: [] };
      family.samples.push(...samples.map((sample) => withLabel(sample, process)));
      families.set(help, family);
    }
  }
  return [...families.values()].map(({ head, samples }) => [head, ...samples, ''].join('\n')).join('\n');
}

function withLabel(sample: string, process: string): string {
  return sample.replace(/^([\w:]+)(\{?)/, (_, name, brace) =>
    brace === '' ? `${name}{process="${process}"}` : `${name}{process="${process}",`,
  );
}
