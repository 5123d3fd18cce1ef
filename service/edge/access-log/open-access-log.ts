import { accessLine } from '../../../shared/core/edge/access-entry.ts';
import type { AccessLog } from '../../../shared/edge/access-log.ts';
import type { Clock, Random } from '../../../shared/ports/system.ts';
import type { AccessLogSettings } from '../../settings/access-log-settings.ts';
import { openLogFile } from './log-file.ts';
import { sendToSyslog } from './syslog-server.ts';

export interface OpenAccessLog extends AccessLog {
  close(): Promise<void>;
}

/** Opens the access log of the built-in engine. @throws CommandError if the log's file cannot be written. */
export async function openAccessLog(
  { target, sample, query }: AccessLogSettings,
  { random, clock, ...events }: SinkEvents & { random: Random; clock: Clock },
): Promise<OpenAccessLog> {
  const sink = await (target.kind === 'file'
    ? openLogFile(target.file, events)
    : sendToSyslog(target, clock, events));
  return {
    takes: () => sample === 1 || fractionOf(random(4)) < sample,
    write: (entry) => sink.write(accessLine(entry, { query })),
    close: sink.close,
  };
}

/** Returns a number from 0 up to, but not including, 1. */
function fractionOf(bytes: Uint8Array): number {
  return Buffer.from(bytes).readUInt32BE(0) / 2 ** 32;
}

/** The destination of a log's lines: a file or a syslog server. */
export interface LineSink {
  /** Writes a line without waiting or throwing. If too many lines are waiting, or after `close`, the line is dropped. */
  write(line: string): void;
  /** Writes the waiting lines, for two seconds at most, then closes the destination. */
  close(): Promise<void>;
}

export interface SinkEvents {
  onDropped(lines: number): void;
  onFailure(error: unknown): void;
}
