import { setTimeout as delay } from 'node:timers/promises';
import { CLI } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { startManyEvents } from './event-view-api.ts';
import { startInTerminal } from './event-view-terminal.ts';

const ROUNDS = 15;
const FIRST_FRAME_MS_MAX = 250;
const MEMORY_MB_MAX = 300;
const PRESSES = 60;
/** Time between key presses. With less time, two key presses could share a frame. */
const BETWEEN_PRESSES_MS = 33;
const EVENTS = 20_000;
const EVENTS_AT_ONCE = 5_000;
/** The sizes of the terminal, each with the maximum time for a key press in milliseconds. */
const SIZES = [
  { size: [120, 40], pressMaxMs: 16 },
  { size: [200, 60], pressMaxMs: 33 },
];
/** Matches text that is drawn again with each move of the selection. */
const SELECTION = /▌/;
const KEY = 'sk_test_0123456789abcdefghijklmnopqrstuv';

/**
 * Measures how soon `events tail` draws in a terminal. Also measures, with 20 000 events, how soon it reacts to keys and how much memory it
 * uses.
 */
export async function eventView(): Promise<BenchRow[]> {
  return [...(await firstFrame()), ...(await manyEvents())];
}

async function firstFrame(): Promise<BenchRow[]> {
  const api = await startManyEvents(100, 100);
  const env = { NAMEPLATE_BASE_URL: api.url, NAMEPLATE_API_KEY: KEY };
  try {
    const { view, floor } = await interleave<'view' | 'floor', Opening>(ROUNDS, {
      view: () => openView(env),
      floor: () => printOne(env),
    });
    const floorMs = median(floor.map((one) => one.frameMs));
    const frameMs = median(view.map((one) => one.frameMs));
    const rowsMs = median(view.map((one) => one.rowsMs));
    return [
      row('event view, first frame', 'ms', frameMs, floorMs, FIRST_FRAME_MS_MAX),
      row('event view, first rows', 'ms', rowsMs, floorMs, null),
    ];
  } finally {
    await api.stop();
  }
}

/** The times from the start to the first output and to the complete screen. */
interface Opening {
  frameMs: number;
  rowsMs: number;
}

/** Measures a Node process that only prints, in the same kind of terminal. */
async function printOne(env: NodeJS.ProcessEnv): Promise<Opening> {
  const frameMs = await startInTerminal(['-e', '"console.log(1)"'], env).drawn(/1/);
  return { frameMs, rowsMs: frameMs };
}

async function openView(env: NodeJS.ProcessEnv): Promise<Opening> {
  const view = startInTerminal([CLI, 'events', 'tail'], env);
  const frameMs = await view.drawn(/nameplate/);
  const rowsMs = await view.drawn(/careers\.customer/);
  await view.leave('q');
  return { frameMs, rowsMs };
}

async function manyEvents(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { size, pressMaxMs } of SIZES) {
    const few = await measure(100, /100 events/, size);
    const many = await measure(EVENTS, /20 000 events/, size);
    const name = `event view, ${size.join('x')}, ${EVENTS} events`;
    rows.push(
      row(`${name}, a key`, 'ms', median(many.presses), median(few.presses), pressMaxMs),
      row(`${name}, the slowest twentieth`, 'ms', slowest(many.presses), slowest(few.presses), pressMaxMs),
      row(`${name}, memory`, 'MB', many.memory_mb, few.memory_mb, MEMORY_MB_MAX),
    );
  }
  return rows;
}

async function measure(total: number, all: RegExp, size: number[]) {
  const api = await startManyEvents(total, EVENTS_AT_ONCE);
  const env = { NAMEPLATE_BASE_URL: api.url, NAMEPLATE_API_KEY: KEY };
  const view = startInTerminal([CLI, 'events', 'tail', '--since', '2026-11-19T00:00:00Z'], env, size);
  try {
    await view.drawn(all);
    const presses: number[] = [];
    for (let n = 0; n < PRESSES; n++) {
      await delay(BETWEEN_PRESSES_MS);
      presses.push(await view.press(n % 2 === 0 ? 'k' : 'j', SELECTION));
    }
    return { presses, memory_mb: view.memoryMb() };
  } finally {
    await view.leave('q');
    await api.stop();
  }
}

function slowest(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
}

function row(name: string, unit: string, value: number, floor: number, max: number | null): BenchRow {
  const target = max === null ? null : { text: `${max} ${unit}`, isMet: value <= max };
  return { name, unit, value, floor, target };
}
