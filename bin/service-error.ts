import { CliError } from '../cli/runtime/cli-error.ts';
import { ConfigError } from '../service/config.ts';
import { CommandError } from '../service/operator/command-error.ts';
import { ServiceError } from '../shared/core/errors.ts';
import { isStoreUnavailable } from '../shared/store/unavailable.ts';

/** An error of an operator's command as one that the command line presents: a code, a message, what to do. */
export function presentable(error: unknown): unknown {
  if (error instanceof ConfigError) {
    const { problems } = error;
    const settings = problems.map(({ name, problem }) => `${name} ${problem}`);
    return new CliError('usage', ['The environment has settings that are wrong:', ...settings].join('\n'), {
      fix: 'Set them as it says; nothing was started.',
      status_detail: { settings: problems },
    });
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
    return new CliError('database_unavailable', `The database does not answer: ${error.message}`, {
      fix: 'Check that it runs, then run this again.',
      cause: error,
    });
  }
  return error;
}
