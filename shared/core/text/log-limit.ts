import type { Instant } from '../instant.ts';

/** Decides whether to write a line that visitors can cause. Returns null if the line should be left out. */
export type LogLimit = (about: string, now: Instant) => LoggedLine | null;

export interface LoggedLine {
  /** Number of lines that were left out since the previous one, of any subject. */
  left_out_in_all: number;
}

/** Limits the lines per minute, for each subject and in total, so that a visitor who can cause lines cannot fill the disk. */
export function createLogLimit({ each_per_minute_max, per_minute_max }: LogLimits): LogLimit {
  const lines_about = new Map<string, number>();
  let minute = Number.NaN;
  let lines = 0;
  let left_out_in_all = 0;
  return (about, now) => {
    const now_minute = Math.floor(now / 60_000);
    if (now_minute !== minute) {
      minute = now_minute;
      lines = 0;
      lines_about.clear();
    }
    const about_it = lines_about.get(about) ?? 0;
    if (lines >= per_minute_max || about_it >= each_per_minute_max) {
      left_out_in_all++;
      return null;
    }
    lines++;
    lines_about.set(about, about_it + 1);
    const line = { left_out_in_all };
    left_out_in_all = 0;
    return line;
  };
}

export interface LogLimits {
  each_per_minute_max: number;
  per_minute_max: number;
}
