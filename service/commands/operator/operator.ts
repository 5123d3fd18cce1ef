import os from 'node:os';
import type { Context } from '../../../shared/operations/context.ts';
import type { Log } from '../../../shared/ports/system.ts';
import type { CommandCall } from '../../command.ts';
import { composeService } from '../../compose.ts';
import { readConfig, type ServiceConfig } from '../../config.ts';
import { createJsonLog } from '../../health/json-log.ts';
import { isOutside } from '../../settings/node-roles.ts';
import { CommandError } from './command-error.ts';

/** The parts of a deployment that an operator command uses. */
export interface Operator {
  context: Context;
  /** The actor to name in the audit log. */
  actor: string;
  /** Id of the key that encrypts new secrets. */
  encryptionKeyId: string;
}

/**
 * Opens the deployment configured by the environment, runs `work`, and closes the deployment.
 * @throws ConfigError, CommandError.
 */
export async function asOperator<T>(call: CommandCall, work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = readInsideConfig(call);
  const composition = await composeService(config, operatorLog(call));
  try {
    return await work({
      context: composition.context,
      actor: actorOf(config),
      encryptionKeyId: composition.database.keys.current,
    });
  } finally {
    await composition.close();
  }
}

/**
 * Reads the configuration of a command that needs the whole database.
 * @throws ConfigError. CommandError with the settings of an outside node, which cannot read the whole database.
 */
export function readInsideConfig({ env }: CommandCall): ServiceConfig {
  const config = readConfig(env);
  if (isOutside(config.roles) && config.encryptionKeys === null)
    throw new CommandError(
      'usage',
      `This command needs the database, but these are the settings of a node with only the role ${config.roles.join(' and ')}.`,
      'Run it with the settings of a node with the role api or worker.',
    );
  return config;
}

/** Creates a log of warnings and errors only, because a command prints its own result. */
export function operatorLog(call: CommandCall): Log {
  return createJsonLog('warn', call.logTo);
}

/** Returns the actor for the audit log: NAMEPLATE_OPERATOR, or else the operating system user. */
export function actorOf({ operator }: ServiceConfig): string {
  if (operator !== null) return operator;
  try {
    return os.userInfo().username;
  } catch {
    // In a container, the process may run under a user id without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
