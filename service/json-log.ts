import pino from 'pino';
import type { Log } from '../shared/ports/log.ts';
import type { LogLevel } from './config.ts';

/** Structured logs, a JSON line each. What could hold a secret is never passed to it; these paths are the second fence. */
export function createJsonLog(level: LogLevel): Log {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
    redact: {
      paths: ['authorization', 'key', 'secret', 'body', '*.authorization', '*.key', '*.secret', '*.body'],
      remove: true,
    },
  });
}
