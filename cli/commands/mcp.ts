import { boolean } from '@oclif/core/flags';
import { serveMcp } from '../mcp/mcp-server.ts';
import type { Access } from '../mcp/tools.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { CliError } from '../runtime/cli-error.ts';
import { type CliSettings, resolveSettings, type SettingsFlags } from '../settings/settings.ts';
import { targetLine } from '../settings/target-words.ts';
import type { World } from '../settings/world.ts';

/** Problems that do not stop the MCP server from starting, because the user can solve them later, for example by starting an emulator. */
const SOLVABLE: readonly string[] = ['no_api_key', 'several_emulators'];

export class Mcp extends BaseCommand {
  static override description =
    'Serves the API and its documentation as tools of the Model Context Protocol (MCP), over stdin and stdout. A coding agent starts this command and calls the tools. They only read, unless a flag permits more. The tools use one server and one key, chosen as for any other command. No tool returns an API key or a signing secret.';
  static override examples = [
    '<%= config.bin %> mcp',
    '<%= config.bin %> mcp --allow-writes',
    '<%= config.bin %> mcp --profile staging --allow-deletes',
  ];
  static override flags = {
    'allow-writes': boolean({ summary: 'Also serve the tools that create and change' }),
    'allow-deletes': boolean({ summary: 'Also serve the tools that create, change and delete' }),
  };
  static override isStream = true;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(Mcp);
    const { world, config, output } = this;
    const access: Access = flags['allow-deletes'] ? 'delete' : flags['allow-writes'] ? 'write' : 'read';
    const target = createTarget(flags, world);
    try {
      const settings = await target();
      output.tell(targetLine(settings, world), settings.mode === 'live' ? 'yellow' : 'dim');
    } catch (error) {
      if (!(error instanceof CliError && SOLVABLE.includes(error.code))) throw error;
      output.tell(`${error.message} ${error.fix}`);
    }
    if (world.stdin.isTTY === true)
      output.tell('Waiting for messages of an MCP client on stdin. Press Ctrl-C to quit.');
    await serveMcp({ access, version: config.version, target, world }, () =>
      output.tell('Ignored input that is not a message of MCP.'),
    );
  }
}

/**
 * Creates a function that returns the server and the key for a tool call. The function reads the settings at each call, so that an emulator
 * can start later and a key can be replaced. If the settings later name another server or mode, the function throws, because the user
 * permitted the tools only for the first server and mode.
 * @throws CliError when the returned function is called: `target_changed`, or an error of `resolveSettings`
 */
function createTarget(flags: SettingsFlags, world: World): () => Promise<CliSettings> {
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

/**
 * Returns true if both settings name the same server and mode. If both servers are emulators, their addresses may differ, because a restart
 * can change the address.
 */
function isSameTarget(one: CliSettings, other: CliSettings): boolean {
  const areEmulators = one.emulator !== null && other.emulator !== null;
  return one.mode === other.mode && (areEmulators || one.baseUrl === other.baseUrl);
}

function targetOf({ baseUrl, mode }: CliSettings): string {
  return `${baseUrl} in ${mode} mode`;
}
