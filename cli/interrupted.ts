import { CliError } from './cli-error.ts';

/** What Ctrl-C or a "no" ends with: exit 130. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'Interrupted; nothing more was done.', {
    fix: 'Run it again when you are ready.',
  });
}
