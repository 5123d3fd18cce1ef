import { ConfigError, readConfig } from '../../../service/config.ts';

/** Returns the problems that `readConfig` reports, by the name of the setting. */
export function problemsOf(env: Record<string, string>): Record<string, string> {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return Object.fromEntries(error.problems.map(({ name, problem }) => [name, problem]));
    }
    throw error;
  }
  return {};
}
