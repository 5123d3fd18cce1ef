import type { AccountId } from '../../../shared/core/ids.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { findAccountsByName } from '../../../shared/store/accounts/accounts.ts';
import type { CommandArg, CommandCall, CommandFlag } from '../../command.ts';
import { CommandError } from './command-error.ts';

/** Argument that selects an account: its id, or its name if the name is unique. */
export const accountArgument: CommandArg = {
  name: 'account',
  description: 'Account id (acc_…), or its name if the name is unique',
};

/** Returns the id of the selected account. @throws CommandError if no account has that name, or several have it. */
export async function readAccountId({ store }: Context, { args }: CommandCall): Promise<AccountId> {
  const given = args[accountArgument.name] ?? '';
  if (given.startsWith('acc_')) return given as AccountId;
  const [only, ...others] = await findAccountsByName(store, given, SHOWN_MAX);
  if (only === undefined) {
    throw new CommandError(
      'not_found',
      `There is no account named "${given}".`,
      'Run nameplate service accounts list to see their ids and names.',
    );
  }
  if (others.length === 0) return only;
  throw new CommandError(
    'usage',
    `Several accounts are named "${given}": ${[only, ...others].join(', ')}.`,
    'Use the id of the account instead.',
  );
}

const SHOWN_MAX = 10;

/** Returns a name without spaces around it. @throws CommandError `usage`. */
export function readTrimmedName(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= LIMITS.name_chars_max) return name;
  throw new CommandError(
    'usage',
    'The name is empty or too long.',
    `Use 1 to ${LIMITS.name_chars_max} characters.`,
  );
}

/** Flag for the number of rows in a list. */
export const limitFlag: CommandFlag = {
  summary: 'Number of rows, 1 to 1000',
  kind: 'whole_number',
  min: 1,
  max: 1000,
  default: 50,
};

export function readLimit({ flags }: CommandCall): number {
  return Number(flags['limit'] ?? limitFlag.default);
}
