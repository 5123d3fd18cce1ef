import os from 'node:os';
import type { Context } from '../../shared/operations/context.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { CommandCall } from '../command.ts';
import { composeService } from '../compose.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import { createJsonLog } from '../health/json-log.ts';

/** What a command of the operator works with. */
export interface Operator {
  context: Context;
  /** Whom the audit log names. */
  actor: string;
  /** The key that secrets are sealed with. */
  encryption_key_id: string;
}

/**
 * Opens the deployment that the environment names, does the work, and closes it.
 * @throws ConfigError, CommandError.
 */
export async function asOperator<T>(call: CommandCall, work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = readConfig(call.env);
  const composition = await composeService(config, operatorLog(call));
  try {
    return await work({
      context: composition.context,
      actor: actorOf(config),
      encryption_key_id: composition.database.keys.current,
    });
  } finally {
    await composition.close();
  }
}

/** A command's answer is what it prints: the log says only what went wrong beside it. */
export function operatorLog(call: CommandCall): Log {
  return createJsonLog('warn', call.log_to);
}

/** The setting, else the user of the operating system. */
export function actorOf({ operator }: ServiceConfig): string {
  if (operator !== null) return operator;
  try {
    return os.userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
