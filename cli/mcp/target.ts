import { CliError } from '../runtime/cli-error.ts';
import { type CliSettings, resolveSettings, type SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';

/**
 * Creates a function that returns the server and the key of each tool call. It reads the settings again, so that an emulator can start later
 * and a key can be replaced. The user permitted the tools for one server and one mode, so a changed profile must not lead them to another.
 * @throws CliError (from the function) `target_changed`, and those of `resolveSettings`
 */
export function createTarget(flags: SettingsFlags, world: World): () => Promise<CliSettings> {
  let first: CliSettings | null = null;
  return async () => {
    const found = await resolveSettings(flags, world);
    first ??= found;
    if (isSameTarget(first, found)) return found;
    throw new CliError(
      'target_changed',
      `The tools were started for ${targetOf(first)}, but the settings now name ${targetOf(found)}.`,
      { fix: 'Restart this MCP server to use the new settings.' },
    );
  };
}

/** Returns true for the same server in the same mode. An emulator may come back at another address. */
function isSameTarget(one: CliSettings, other: CliSettings): boolean {
  const areEmulators = one.emulator !== null && other.emulator !== null;
  return one.mode === other.mode && (areEmulators || one.baseUrl === other.baseUrl);
}

function targetOf({ baseUrl, mode }: CliSettings): string {
  return `${baseUrl} in ${mode} mode`;
}
