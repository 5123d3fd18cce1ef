import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { monotonicClock } from '../../shared/adapters/system.ts';
import {
  type CountedEdge,
  createEdgeHealth,
  type Drained,
  type EdgeMemory,
} from '../../shared/core/edge/edge-health.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import { beatSchema, type EdgeBeats } from '../edge/health/edge-beats.ts';

export interface EdgeAnswersOptions {
  /** All addresses of the edge. */
  configured: readonly string[];
  /** The regions of this name server, nearest first. */
  regions: readonly string[];
  beats: EdgeBeats;
  /** Returns whether the replica has a drain of a node. Null without a replica: drains are then known from beats. */
  isDrained: ((node: string) => boolean) | null;
  /** The folder of the file in which the states of edges survive a restart. */
  folder: string;
  log: Log;
  /** Called with the addresses to answer with: at once, and after each change. */
  onChange(addresses: readonly string[]): void;
  clock?: Clock;
}

/** The addresses with which a name server answers, kept up to date. */
export interface EdgeAnswers {
  /** Chooses the addresses again. A timer calls this every 250 ms. */
  refresh(): void;
  states(): CountedEdge[];
  close(): void;
}

const REFRESH_MS = 250;
/** A process without a refresh for this time was paused. */
const PAUSED_MS = 2_000;

/** Follows the beats and drains of edges (`decisions/0102`). */
export function followEdgeHealth(options: EdgeAnswersOptions): EdgeAnswers {
  const { configured, regions, beats, isDrained, log, onChange, clock = monotonicClock } = options;
  const file = path.join(options.folder, 'edge-health.json');
  const remembered = readMemory(file, log);
  const health = createEdgeHealth({ configured, regions, remembered });
  let answers = '';
  let written = JSON.stringify(remembered);
  let drained: Drained = isDrained && new Set();
  let refreshedAt = clock.now();

  function remember(): void {
    const memory = JSON.stringify(health.memory());
    if (memory === written) return;
    written = memory;
    try {
      writeFileSync(`${file}.${process.pid}`, memory, { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    } catch (error) {
      log.warn({ error }, 'the name server cannot keep the states of edges for its next start');
    }
  }

  function refresh(): void {
    try {
      drained = isDrained && new Set(health.nodes().filter(isDrained));
    } catch {
      // The drains stay as they were. The replica logs its own errors every second.
    }
    const now = clock.now();
    // Beats that arrived while this process was paused may not be heard yet.
    const isConnected = beats.isConnected() && now - refreshedAt < PAUSED_MS;
    refreshedAt = now;
    const next = health.answers(now, drained, isConnected);
    remember();
    if (next.join() === answers) return;
    if (answers !== '') log.info({ addresses: next }, 'the name server now answers with other edges');
    answers = next.join();
    onChange(next);
  }

  refresh();
  const end = beats.listen((heard) => health.hear(heard, clock.now()));
  const timer = setInterval(refresh, REFRESH_MS).unref();
  return {
    refresh,
    states: () => health.states(clock.now(), drained),
    close() {
      end();
      clearInterval(timer);
    },
  };
}

const memorySchema = z.object({
  edges: z.array(beatSchema.extend({ isUp: z.boolean() })),
  answers: z.array(z.string()),
});

function readMemory(file: string, log: Log): EdgeMemory | null {
  try {
    return memorySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const isNew = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isNew) log.warn({ error, file }, 'the states of edges from before this start cannot be read');
    return null;
  }
}
