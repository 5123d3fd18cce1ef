import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { durationMs } from '../../arguments/duration.ts';
import { type Control, connectControl } from '../../emulator/emulator-control.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { workWords } from '../../output/work-words.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

const PROGRESS_MS = 1_000;

interface ClockAnswer {
  now: string;
  mode: string;
  moving?: { steps: number };
}

interface Advanced extends ClockAnswer {
  done: Record<string, number>;
}

export class EmulatorClockAdvance extends BaseCommand {
  static override description =
    'Moves the clock forward and does all the work that comes due on the way, in its order. It answers when all is settled.';
  static override examples = [
    '<%= config.bin %> emulator clock advance 72h',
    '<%= config.bin %> emulator clock advance --to 2027-01-01T00:00:00Z',
    '<%= config.bin %> emulator clock advance --until idle',
  ];
  static override args = { by: stringArg({ description: 'How far, such as 10s or 72h' }) };
  static override flags = {
    to: string({ summary: 'To this time', helpValue: '<RFC 3339>', exclusive: ['until'] }),
    until: string({ summary: 'Until nothing is due, or the next thing is done', options: ['idle', 'next'] }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorClockAdvance);
    const { to, until } = flags;
    const { by } = args;
    if ([by, to, until].filter((value) => value !== undefined).length !== 1) {
      throw usageError('Say how far, once.', 'Give a duration such as 72h, or --to, or --until.');
    }
    if (by !== undefined) durationMs(by);
    const control = await connectControl(flags, this.world);
    const body = by === undefined ? (to === undefined ? { until } : { to }) : { by };
    const answer = await this.#whileShown(
      control,
      control.request<Advanced>({ method: 'POST', path: '/_emulator/clock/advance', body }),
    );
    this.output.result(answer, () => [
      `The clock is at ${plainTime(answer.now)}, ${plainText(answer.mode)}.`,
      `Done: ${workWords(answer.done) || 'nothing was due'}.`,
    ]);
  }

  /** Says every second how far a long move has come. */
  async #whileShown<T>(control: Control, move: Promise<T>): Promise<T> {
    let done = false;
    const finished = move.finally(() => {
      done = true;
    });
    finished.catch(() => undefined); // Told below, once the one who waits has seen it too.
    for (;;) {
      await Promise.race([this.world.sleep(PROGRESS_MS), finished.catch(() => undefined)]);
      if (done) return finished;
      const { now, moving } = await control.request<ClockAnswer>({ method: 'GET', path: '/_emulator/clock' });
      if (moving) this.output.note(`The clock is at ${plainTime(now)} after ${moving.steps} steps.`);
    }
  }
}
