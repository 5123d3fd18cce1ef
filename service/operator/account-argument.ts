import type { Context } from '../../shared/operations/context.ts';
import { findAccountsByName } from '../../shared/store/accounts/accounts.ts';
import type { CommandArg, CommandCall } from '../command.ts';
import { CommandError } from './command-error.ts';

/** The account that an operator means: by its id, or by its name where no other has it. */
export const accountArgument: CommandArg = {
  name: 'account',
  description: 'Its id, acc_…, or its name where no other has it',
};

/** @throws CommandError where no account has that name, or several have. */
export async function readAccountId({ store }: Context, { args }: CommandCall): Promise<string> {
  const given = args[accountArgument.name] ?? '';
  if (given.startsWith('acc_')) return given;
  const [only, ...others] = await findAccountsByName(store, given, SHOWN_MAX);
  if (only === undefined) {
    throw new CommandError(
      'not_found',
      `There is no account called "${given}".`,
      'Run nameplate service accounts list to see their ids and names.',
    );
  }
  if (others.length === 0) return only;
  throw new CommandError(
    'usage',
    `Several accounts are called "${given}": ${[only, ...others].join(', ')}.`,
    'Give the id of the one that you mean.',
  );
}

const SHOWN_MAX = 10;
