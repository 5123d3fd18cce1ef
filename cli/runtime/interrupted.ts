import { CliError } from './cli-error.ts';

/** What Ctrl-C ends with: exit 130. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'Interrupted; nothing more was done.', {
    fix: 'Run it again when you are ready.',
  });
}

/** What a "no" ends with: exit 130. */
export function declined(): CliError {
  return new CliError('interrupted', 'Nothing was done.', { fix: 'Run it again when you are ready.' });
}
