import { shellQuote } from '../arguments/shell-quote.ts';
import { CliError } from './cli-error.ts';

/** Returns the error for Ctrl-C, with exit code 130. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'Interrupted.', { fix: 'Run the command again when you are ready.' });
}

/** Returns the error for Ctrl-C during a wait for domains. @param domain names one of them in the suggested command. */
export function stoppedWaiting(domain: string): CliError {
  return new CliError('interrupted', 'Stopped waiting. The domain exists and its setup continues.', {
    fix: `Run ${shellQuote(['nameplate', 'domains', 'get', domain])} to see its status.`,
  });
}

/** Returns the error for a question that was answered with no, with exit code 130. */
export function answeredNo(): CliError {
  return new CliError('interrupted', 'Nothing was done.', {
    fix: 'Run the command again when you are ready.',
  });
}
