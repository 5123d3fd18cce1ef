import path from 'node:path';
import { boolean, integer } from '@oclif/core/flags';
import {
  type EmulatorState,
  emulatorStateFolder,
  registerEmulator,
  unregisterEmulator,
} from '../../../emulator/registry.ts';
import type { ShownEmulator } from '../../../emulator/shown-emulator.ts';
import { watchForFaults } from '../../emulator/emulator-fault.ts';
import {
  emulatorFlags,
  ephemeralFlag,
  type StartedEmulator,
  startEmulatorWith,
} from '../../emulator/emulator-flags.ts';
import { lengthWord } from '../../events/event-words.ts';
import { wantsColor } from '../../output/output.ts';
import { plainTime, shellQuote } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { fileFailure } from '../../runtime/error-presenter.ts';
import { onStopSignals } from '../../settings/world.ts';

const FORCED_EXIT = 130;

export class EmulatorStart extends BaseCommand {
  static override description =
    'Runs a complete Nameplate on this machine until Ctrl-C. It listens on loopback, needs no account, and never contacts a certificate authority. Other commands in this folder and below use it automatically. So do commands elsewhere, if it is the only emulator. On a terminal, it shows requests, events, webhooks and mails as they happen (press ? for its keys). The state is in .nameplate/emulator.db, unless you use --ephemeral or --file.';
  static override examples = [
    '<%= config.bin %> emulator start',
    '<%= config.bin %> emulator start --ephemeral --clock auto',
    '<%= config.bin %> emulator start --origin http://127.0.0.1:3000 --webhook http://127.0.0.1:3000/webhooks',
  ];
  static override flags = {
    port: integer({ summary: 'Port of the API (0: any free port)', min: 0, max: 65_534, default: 4400 }),
    ...emulatorFlags,
    ...ephemeralFlag,
    quiet: boolean({ char: 'q', summary: 'Print the addresses and nothing more, also on a terminal' }),
  };
  static override handlesInterrupt = true;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorStart);
    const { cwd, env } = this.world;
    const file = flags.ephemeral ? null : path.resolve(cwd, flags.file ?? '.nameplate/emulator.db');

    const stop = Promise.withResolvers<void>();
    let asked = 0;
    const signals = onStopSignals((signal) => {
      asked++;
      // The first signal closes connections gracefully. A second Ctrl-C exits at once.
      if (asked > 1 && signal === 'SIGINT') this.world.exit(FORCED_EXIT);
      stop.resolve();
    });
    try {
      const emulator = await startEmulatorWith(flags, {
        file,
        cwd,
        env,
        onStop: stop.resolve,
        // All emulators of a user share one CA. It is in the user's own folder, because a project folder may be shared.
        ...(file !== null && { caFolder: emulatorStateFolder(env) }),
      });
      const faults = watchForFaults(file, stop.resolve);
      try {
        this.#register(stateOf(emulator, cwd));
        // Print the addresses first, so that the terminal still shows them when the screen closes.
        this.#show(emulator, file);
        if (!flags.quiet && this.hasScreen()) await this.#showScreen(emulator, file, stop);
        await stop.promise;
        faults.check();
        this.output.note('Stopping. Press Ctrl-C again to force.');
      } finally {
        unregisterEmulator(process.pid, env);
        await emulator.close();
        faults.off();
      }
    } finally {
      signals.off();
    }
  }

  /** Returns the command to type for the CLI: `nameplate`, or `npx nameplate` if npm started this process, such as with `npm start`. */
  #command(): string {
    return this.world.env.npm_execpath === undefined ? 'nameplate' : 'npx nameplate';
  }

  /**
   * Writes the file by which other commands find the emulator. If writing fails, users must pass the emulator's address to each command.
   */
  #register(state: EmulatorState): void {
    try {
      registerEmulator(state, this.world.env);
    } catch (error) {
      const { message } = fileFailure(error) ?? { message: String(error) };
      this.output.note(`Warning: other commands cannot find this emulator. ${message}`);
      this.output.note(`Use them with --base-url ${state.url}, or set NAMEPLATE_STATE_DIR to a folder.`);
    }
  }

  async #showScreen(
    emulator: StartedEmulator,
    file: string | null,
    stop: PromiseWithResolvers<void>,
  ): Promise<void> {
    // Lazy: Ink takes longer to load than the emulator takes to start.
    const { showEmulatorScreen } = await import('../../emulator/screen/show-emulator-screen.tsx');
    const { url, edgeUrl, clock } = emulator;
    await showEmulatorScreen({
      activity: emulator.watch(),
      facts: { url, edgeUrl, addresses: this.#addresses(emulator, file), next: this.#next(emulator) },
      clock,
      color: wantsColor(this.world, this.argv),
      world: this.world,
      quit: stop.resolve,
      stopped: stop.promise,
    });
  }

  #show(emulator: ShownEmulator, file: string | null): void {
    const { url, edgeUrl, sandboxOrigin, keys, webhookSecret } = emulator;
    const { paint, fields } = this.output;
    const document = {
      pid: process.pid,
      url,
      edge_url: edgeUrl,
      sandbox_origin: sandboxOrigin,
      control_url: `${url}/_emulator`,
      clock: { mode: emulator.clock.mode, now: emulator.clock.now().toISOString() },
      keys,
      webhook_secret: webhookSecret,
      file,
    };
    this.output.result(document, () => [
      paint('bold', `The emulator is ready at ${url}`),
      '',
      ...fields([...this.#addresses(emulator, file), ...clockLine(emulator)]),
      '',
      'Try next, in another terminal:',
      ...this.#next(emulator).map((line) => `  ${line}`),
    ]);
  }

  #addresses(emulator: ShownEmulator, file: string | null): [string, string][] {
    const { url, edgeUrl, sandboxOrigin, keys, webhookSecret } = emulator;
    return [
      ['API', `${url}/v1`],
      ['edge', `${edgeUrl} (HTTP and HTTPS; see ${this.#command()} emulator trust)`],
      ['sandbox origin', sandboxOrigin],
      ['docs', `${url}/docs`],
      ['dashboard', `${url}/dashboard`],
      ['control', `${url}/_emulator/status`],
      ['test key', keys.test],
      ['live key', keys.live],
      ['webhook secret', webhookSecret],
      ['state', file ?? 'in memory'],
    ];
  }

  /** Returns command lines that a new user can try first. */
  #next({ url, keys }: ShownEmulator): string[] {
    return [
      `export ${shellQuote([`NAMEPLATE_BASE_URL=${url}`, `NAMEPLATE_API_KEY=${keys.test}`])}`,
      `${this.#command()} domains add careers.acme.com --wait`,
      `curl -H ${shellQuote([`Authorization: Bearer ${keys.test}`, `${url}/v1/domains`])}`,
    ];
  }
}

/** Returns a line about the clock if it was moved or does not run in real time, because such a clock may surprise users. */
function clockLine({ clock }: ShownEmulator): [string, string][] {
  const { mode, offsetMs } = clock;
  const moved = Math.abs(offsetMs) >= MOVED_MS;
  if (mode === 'real' && !moved) return [];
  const at = plainTime(clock.now().toISOString());
  const movedBy = moved ? `, ${lengthWord(offsetMs)} ahead of this machine` : '';
  return [['clock', `${mode}, at ${at}${movedBy}`]];
}

/** Only an offset of at least this much means that someone moved the clock, because starting alone takes some milliseconds. */
const MOVED_MS = 1_000;

function stateOf(
  { url, edgeUrl, sandboxOrigin, keys, webhookSecret }: ShownEmulator,
  folder: string,
): EmulatorState {
  return {
    pid: process.pid,
    port: Number(new URL(url).port),
    url,
    control_url: `${url}/_emulator`,
    edge_url: edgeUrl,
    folder,
    started_at: new Date().toISOString(),
    api_key: keys.test,
    live_api_key: keys.live,
    webhook_secret: webhookSecret,
    sandbox_origin: sandboxOrigin,
  };
}
