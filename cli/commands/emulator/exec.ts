import { constants } from 'node:os';
import path from 'node:path';
import { integer } from '@oclif/core/flags';
import type { ShownEmulator } from '../../../emulator/shown-emulator.ts';
import { watchForFaults } from '../../emulator/emulator-fault.ts';
import { emulatorFlags, ephemeralFlag, startEmulatorWith } from '../../emulator/emulator-flags.ts';
import { runCommand } from '../../emulator/emulator-run.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { onStopSignals } from '../../settings/world.ts';

export class EmulatorExec extends BaseCommand {
  static override description =
    "Starts an emulator on a free port and runs a command with the emulator's address and keys in its environment. The exit code is that of the command, 128 + n if signal n ended it, 127 if the command was not found, 126 if it cannot be run, or 125 if the emulator fails. The state is in memory, unless you use --file. A second Ctrl-C kills the command. The command gets NAMEPLATE_BASE_URL, NAMEPLATE_API_KEY, NAMEPLATE_LIVE_API_KEY, NAMEPLATE_WEBHOOK_SECRET, NAMEPLATE_EDGE_URL, NAMEPLATE_EDGE_CA (the PEM certificate authority of the edge) and NAMEPLATE_SANDBOX_ORIGIN.";
  static override examples = [
    '<%= config.bin %> emulator exec -- npm test',
    '<%= config.bin %> emulator exec --clock auto -- pytest -x tests/',
  ];
  static override usage = 'emulator exec [FLAGS] -- COMMAND [ARGS...]';
  static override flags = {
    port: integer({ summary: 'Port of the API (0: any free port)', min: 0, max: 65_534, default: 0 }),
    ...emulatorFlags,
    ...ephemeralFlag,
  };
  static override handlesInterrupt = true;
  static override failureExit = 125;

  async run(): Promise<number> {
    const end = this.argv.indexOf('--');
    const command = end === -1 ? [] : this.argv.slice(end + 1);
    const { flags } = await this.parse(EmulatorExec, end === -1 ? this.argv : this.argv.slice(0, end));
    if (command.length === 0) {
      throw usageError(
        'No command to run.',
        'Put the command after --, as in nameplate emulator exec -- npm test.',
      );
    }
    const { cwd, env } = this.world;
    const file = flags.file === undefined ? null : path.resolve(cwd, flags.file);

    let forward = (signal: NodeJS.Signals) => this.world.exit(128 + constants.signals[signal]);
    const signals = onStopSignals((signal) => forward(signal));
    try {
      const emulator = await startEmulatorWith(flags, { file, cwd, env });
      const faults = watchForFaults(file, () => forward('SIGTERM'));
      try {
        const exit = await runCommand(command, {
          cwd,
          env: { ...env, ...environmentOf(emulator) },
          onStart: (send) => {
            forward = send;
            // Loads the API's modules while the command starts. If loading fails, the command's first request fails in the same way and
            // logs the error.
            emulator.load().catch(() => undefined);
          },
        });
        faults.check();
        return exit;
      } finally {
        await emulator.close();
        faults.off();
      }
    } finally {
      signals.off();
    }
  }
}

function environmentOf({ url, edgeUrl, ca, sandboxOrigin, keys, webhookSecret }: ShownEmulator) {
  return {
    NAMEPLATE_BASE_URL: url,
    NAMEPLATE_API_KEY: keys.test,
    NAMEPLATE_LIVE_API_KEY: keys.live,
    NAMEPLATE_WEBHOOK_SECRET: webhookSecret,
    NAMEPLATE_EDGE_URL: edgeUrl,
    NAMEPLATE_EDGE_CA: ca,
    NAMEPLATE_SANDBOX_ORIGIN: sandboxOrigin,
  };
}
