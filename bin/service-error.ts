import { CliError } from '../cli/runtime/cli-error.ts';
import { CommandError } from '../service/commands/operator/command-error.ts';
import { ConfigError } from '../service/config.ts';
import { ServiceError } from '../shared/core/errors.ts';
import { isStoreUnavailable } from '../shared/store/unavailable.ts';

/** Converts an error of an operator command into a `CliError` with a code, a message and a fix. Returns any other error unchanged. */
export function presentable(error: unknown): unknown {
  if (error instanceof ConfigError) {
    const { problems } = error;
    const settings = problems.map(({ name, problem }) => `${name} ${problem}`);
    return new CliError(
      'usage',
      ['Some settings in the environment are wrong or missing:', ...settings].join('\n'),
      {
        fix: 'Correct these environment variables, then run the command again. Nothing was started.',
        status_detail: { settings: problems },
      },
    );
  }
  if (error instanceof CommandError) {
    return new CliError(error.code, error.message, { fix: error.fix, cause: error });
  }
  if (error instanceof ServiceError) {
    const { code, message, fix, status, status_detail } = error;
    return new CliError(code, message, {
      fix,
      status,
      cause: error,
      ...(status_detail && { status_detail }),
    });
  }
  if (error instanceof Error && isStoreUnavailable(error)) {
    return new CliError('database_unavailable', `The database does not respond: ${error.message}`, {
      fix: 'Check that the database is running, then run the command again.',
      cause: error,
    });
  }
  return error;
}
