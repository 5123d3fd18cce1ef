import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { durationMs } from '../../arguments/read-values.ts';
import { connectControl, type EmulatorControl } from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/field-lines.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { workWords } from '../../output/work-words.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class EmulatorClock extends BaseCommand {
  static override description =
    "Shows the emulator's clock, or changes its mode. real runs with this machine's clock, auto jumps to the next due work, frozen stands still until you move it.";
  static override examples = [
    '<%= config.bin %> emulator clock',
    '<%= config.bin %> emulator clock --mode frozen',
    '<%= config.bin %> emulator clock advance 72h',
  ];
  static override flags = {
    mode: string({ summary: 'Change the mode', options: ['real', 'auto', 'frozen'] }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorClock);
    const control = await connectControl(flags, this.world);
    const path = '/_emulator/clock';
    const clock =
      flags.mode === undefined
        ? await control.request({ method: 'GET', path })
        : await control.request({ method: 'PATCH', path, body: { mode: flags.mode } });
    this.output.result(clock, () => this.output.fields(plainFields(clock)));
  }
}

const PROGRESS_MS = 1_000;

interface ClockResponse {
  now: string;
  mode: string;
  moving?: { steps: number };
}

interface Advanced extends ClockResponse {
  done: Record<string, number>;
}

export class EmulatorClockAdvance extends BaseCommand {
  static override description =
    "Moves the emulator's clock forward and does the work that comes due on the way, in order. It returns when the work is done.";
  static override examples = [
    '<%= config.bin %> emulator clock advance 72h',
    '<%= config.bin %> emulator clock advance --to 2027-01-01T00:00:00Z',
    '<%= config.bin %> emulator clock advance --until idle',
  ];
  static override args = { by: stringArg({ description: 'How far to move, such as 10s or 72h' }) };
  static override flags = {
    to: string({ summary: 'Move to this time', helpValue: '<RFC 3339>', exclusive: ['until'] }),
    until: string({
      summary: 'Move until no work is left (idle), or until the next work is done (next)',
      options: ['idle', 'next'],
    }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorClockAdvance);
    const { to, until } = flags;
    const { by } = args;
    if ([by, to, until].filter((value) => value !== undefined).length !== 1) {
      throw usageError(
        'Say how far to move the clock.',
        'Give either a duration such as 72h, --to, or --until.',
      );
    }
    if (by !== undefined) durationMs(by);
    const control = await connectControl(flags, this.world);
    const body = by === undefined ? (to === undefined ? { until } : { to }) : { by };
    const moved = await this.#showProgress(
      control,
      control.request<Advanced>({ method: 'POST', path: '/_emulator/clock/advance', body }),
    );
    this.output.result(moved, () => [
      `The clock is at ${plainTime(moved.now)} (${plainText(moved.mode)}).`,
      `Done: ${workWords(moved.done) || 'no work was due'}.`,
    ]);
  }

  /** Waits until the emulator has moved its clock, and prints the progress every second. */
  async #showProgress<T>(control: EmulatorControl, move: Promise<T>): Promise<T> {
    let done = false;
    const finished = move.finally(() => {
      done = true;
    });
    finished.catch(() => undefined); // The error is reported below, when the loop returns `finished`.
    for (;;) {
      await Promise.race([this.world.sleep(PROGRESS_MS), finished.catch(() => undefined)]);
      if (done) return finished;
      const { now, moving } = await control.request<ClockResponse>({
        method: 'GET',
        path: '/_emulator/clock',
      });
      if (moving) this.output.note(`The clock is at ${plainTime(now)} after ${moving.steps} steps.`);
    }
  }
}
