import { fullTime } from '../../../shared/dashboard/browser/times.tsx';
import type { ClockReading } from '../responses.ts';
import { askEmulator } from './ask.ts';

export const CLOCK_CHOICES = ['real', 'auto', 'frozen'] as const;

/** The names of the clock's modes that people read. */
export const MODE_NAMES = { real: 'real time', auto: 'auto', frozen: 'frozen' } as const;

type ChosenMove = { by: string } | { to: string } | { until: 'idle' | 'next' };

/** Moves the clock and runs all work that comes due. @returns the message to show. */
export async function advance(move: ChosenMove): Promise<string> {
  const { now, steps } = await askEmulator<ClockReading & { steps: number }>('POST /clock/advance', move);
  const done = steps === 1 ? '1 step' : `${steps} steps`;
  return `It is ${fullTime(Date.parse(now))} now, after ${done}.`;
}

export async function setMode(mode: string): Promise<string> {
  await askEmulator('PATCH /clock', { mode });
  return MODE_WORDS[mode] ?? mode;
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  real: 'The clock runs.',
  auto: 'The clock runs, and jumps to the next due work when idle.',
  frozen: 'The clock is frozen.',
};
