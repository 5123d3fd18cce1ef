import type { Instant } from '../instant.ts';

/** Decides whether to write a log line that visitors can cause. Returns null if the line should be left out. */
export type LogLimit = (about: string, now: Instant) => LoggedLine | null;

export interface LoggedLine {
  /** Number of lines, about any subject, that were left out since the previous line was written. */
  left_out_in_all: number;
}

/** Limits the lines per minute, for each subject and in total, so that a visitor who can cause lines cannot fill the disk. */
export function createLogLimit({ eachPerMinuteMax, perMinuteMax }: LogLimits): LogLimit {
  const linesAbout = new Map<string, number>();
  let minute = Number.NaN;
  let lines = 0;
  let leftOutInAll = 0;
  return (about, now) => {
    const nowMinute = Math.floor(now / 60_000);
    if (nowMinute !== minute) {
      minute = nowMinute;
      lines = 0;
      linesAbout.clear();
    }
    const aboutIt = linesAbout.get(about) ?? 0;
    if (lines >= perMinuteMax || aboutIt >= eachPerMinuteMax) {
      leftOutInAll++;
      return null;
    }
    lines++;
    linesAbout.set(about, aboutIt + 1);
    const line = { left_out_in_all: leftOutInAll };
    leftOutInAll = 0;
    return line;
  };
}

export interface LogLimits {
  eachPerMinuteMax: number;
  perMinuteMax: number;
}
