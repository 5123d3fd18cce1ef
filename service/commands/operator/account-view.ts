import type { Account } from '../../../shared/core/accounts/account.ts';
import { PLAN_NAMES, type PlanName } from '../../../shared/core/accounts/plan.ts';
import { timestamp } from '../../../shared/core/instant.ts';
import type { AccountTerms } from '../../../shared/operations/accounts/create-account.ts';
import type { CommandCall, CommandFlag, CommandResult } from '../../command.ts';
import { CommandError } from './command-error.ts';
import { documentFields } from './document-view.ts';

/** Flags that set the terms of an account. */
export const termFlags: Readonly<Record<string, CommandFlag>> = {
  plan: { summary: 'Plan of the account', kind: 'text', options: PLAN_NAMES },
  'trial-ends-at': {
    summary: 'End of the trial, or none',
    kind: 'text',
    helpValue: '2030-01-31T00:00:00Z|none',
  },
  promotional: { summary: 'Allow live keys on the Free plan', kind: 'yes_no' },
  'card-on-file': { summary: 'Whether the account has a card on file', kind: 'yes_no' },
};

/** Returns the terms that the flags set. @throws CommandError `usage`. */
export function readTerms({ flags }: CommandCall): AccountTerms {
  const plan = PLAN_NAMES.find((name): name is PlanName => name === flags['plan']);
  const trial = flags['trial-ends-at'];
  return {
    ...(plan !== undefined && { plan }),
    ...(trial !== undefined && { trial_ends_at: readTrial(String(trial)) }),
    ...(flags['promotional'] !== undefined && { promotional: flags['promotional'] === true }),
    ...(flags['card-on-file'] !== undefined && { card_on_file: flags['card-on-file'] === true }),
  };
}

function readTrial(text: string): number | null {
  if (text === 'none') return null;
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new CommandError(
    'usage',
    '--trial-ends-at is not a valid time.',
    'Use RFC 3339, such as 2030-01-31T00:00:00Z, or none.',
  );
}

/** Returns the account as JSON, with times in RFC 3339. */
export function accountDocument(account: Account) {
  return {
    ...account,
    trial_ends_at: timestamp(account.trial_ends_at),
    created_at: timestamp(account.created_at),
  };
}

export const ACCOUNT_COLUMNS = [
  'id',
  'name',
  'plan',
  'trial_ends_at',
  'promotional',
  'card_on_file',
  'suspended',
  'created_at',
] as const;

export function accountFields(account: Account): [string, unknown][] {
  return documentFields(accountDocument(account), ACCOUNT_COLUMNS);
}

/** Returns the result of a command that changed an account. */
export function accountResult(account: Account): CommandResult {
  return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
}
