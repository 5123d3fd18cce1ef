import { ConfigError, readConfig } from '../../../service/config.ts';

/** Returns what `readConfig` says of each setting at fault, by its name. */
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
