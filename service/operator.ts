import os from 'node:os';
import type { Context } from '../shared/operations/context.ts';
import type { Log } from '../shared/ports/log.ts';
import type { CommandCall } from './command.ts';
import { readConfig, type ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database.ts';
import { createJsonLog } from './json-log.ts';
import { composeService } from './main.ts';
import { migrateDatabase } from './migrations.ts';

/** What a command of the operator works with. */
export interface Operator {
  context: Context;
  /** Whom the audit log names. */
  actor: string;
  database: Database;
}

/**
 * Opens the deployment that the environment names, does the work, and closes it. An embedded database is migrated on the way.
 * @throws ConfigError, CommandError.
 */
export async function asOperator<T>(call: CommandCall, work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = readConfig(call.env);
  const log = operatorLog(call);
  if (config.database_url === null) await migrateEmbedded(config, log);
  const composition = await composeService(config, log);
  try {
    return await work({
      context: composition.context,
      actor: actorOf(config),
      database: composition.database,
    });
  } finally {
    await composition.close();
  }
}

/** A command's answer is what it prints: the log says only what went wrong beside it. */
export function operatorLog(call: CommandCall): Log {
  return createJsonLog('warn', call.log_to);
}

/** Nobody runs commands by hand on a machine that has just been given its first database. */
export async function migrateEmbedded(config: ServiceConfig, log: Log): Promise<void> {
  const database = await openDatabase(config, log);
  try {
    await migrateDatabase(database.store);
  } finally {
    await database.close();
  }
}

export function actorOf({ operator }: ServiceConfig): string {
  if (operator !== null) return operator;
  try {
    return os.userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
