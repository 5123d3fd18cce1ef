import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import { runEmulator } from '../../emulator/run-emulator.ts';
import { type ShownEmulator, showEmulator } from '../../emulator/shown-emulator.ts';
import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Log } from '../../shared/ports/system.ts';
import { startDemoReceiver } from '../demo/demo-receiver.ts';
import { DEMO_SEED, playDemo } from '../demo/demo-script.ts';
import { controlOf } from '../emulator/emulator-control.ts';
import { DELIVERY_STATES } from '../events/event-words.ts';
import { createPacer } from '../events/pacer.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { CliConfig } from '../runtime/oclif-config.ts';
import { EventsTail } from './events-tail.ts';

export class Demo extends BaseCommand {
  static override description =
    'Shows Nameplate at work, without an account: an emulator in memory, a few customers, a webhook receiver that fails every fourth request, and the event view. On a terminal, redeliver a failed event with r, and press ? for the other keys. Without a terminal, prints a line for each event. Quitting stops everything and leaves nothing behind.';
  static override examples = ['<%= config.bin %> demo'];
  static override handlesInterrupt = true;
  static override isStream = true;

  async run(): Promise<number | undefined> {
    await this.parse(Demo);
    const pacer = createPacer();
    const receiver = await startDemoReceiver(DEMO_LOG);
    try {
      const emulator = await startDemoEmulator({ seed: DEMO_SEED, webhook: receiver.url });
      try {
        const { url, keys, webhookSecret } = emulator;
        const client = createClient({ baseUrl: url, apiKey: keys.test, fetch: nodeFetch, retries: 0 });
        const { request } = controlOf({ url, pid: process.pid }, this.world);
        const played = playDemo(client, request, pacer);
        const intro = introOf(url);
        if (!this.output.json && !this.hasScreen()) for (const line of intro) this.output.note(line);
        const exit = await this.#watch({ url, apiKey: keys.test, webhookSecret }, intro);
        pacer.stop();
        await played;
        this.#summarize(receiver.counts());
        return exit;
      } finally {
        pacer.stop();
        await emulator.close();
      }
    } finally {
      await receiver.close();
    }
  }

  /** Runs `events tail` with the demo's emulator, whatever the user's settings are. Returns its exit code when the user quits. */
  async #watch(
    demo: { url: string; apiKey: string; webhookSecret: string },
    intro: readonly string[],
  ): Promise<number | undefined> {
    const { world } = this;
    const env = {
      ...world.env,
      NAMEPLATE_BASE_URL: demo.url,
      NAMEPLATE_API_KEY: demo.apiKey,
      NAMEPLATE_WEBHOOK_SECRET: demo.webhookSecret,
    };
    const config = new CliConfig({ ...world, env, stdin: world.stdin }, {}, {});
    const argv = [
      '--since',
      '1h',
      ...(this.output.json ? ['--json'] : []),
      ...(this.argv.includes('--no-color') ? ['--no-color'] : []),
    ];
    const tail = new EventsTail(argv, config);
    tail.intro = intro;
    return tail.run();
  }

  #summarize({ accepted, refused }: { accepted: number; refused: number }): void {
    if (this.output.json) return;
    const { tell } = this.output;
    tell(`The demo has ended. Its receiver accepted ${accepted} webhooks and refused ${refused}.`);
    tell('Start your own emulator with nameplate emulator start.');
  }
}

/** Returns lines that explain what the demo shows, and why some rows wait. */
function introOf(url: string): string[] {
  const legend = Object.values(DELIVERY_STATES).map(({ mark, words }) => `${mark} ${words}`);
  return [
    legend.join('   '),
    'The receiver fails every fourth request. A failed webhook is sent again later.',
    'Until then, the later events of its domain wait. Press r to redeliver it now.',
    `Dashboard: ${url}/dashboard`,
  ];
}

const ignore = () => undefined;
/** The demo logs nothing, because log lines would damage the event view. */
export const DEMO_LOG: Log = { info: ignore, warn: ignore, error: ignore };

/** Starts an emulator in memory on free ports. It is not registered, so that other commands do not use it. */
export async function startDemoEmulator(
  options: Pick<EmulatorOptions, 'seed' | 'webhook'>,
): Promise<ShownEmulator> {
  return showEmulator(await runEmulator({ ...options, log: DEMO_LOG }));
}
