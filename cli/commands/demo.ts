import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runEmulator } from '../../emulator/run-emulator.ts';
import type { Seed } from '../../emulator/seed/seed-schema.ts';
import { showEmulator } from '../../emulator/shown-emulator.ts';
import { createHttpServer, logOwnErrors } from '../../shared/adapters/owned-server.ts';
import { type Client, createClient } from '../../shared/client/client.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Request } from '../../shared/client/request.ts';
import type { Log } from '../../shared/ports/system.ts';
import { controlOf } from '../emulator/emulator-control.ts';
import { createPacer, type Pacer } from '../events/pacer.ts';
import { DELIVERY_STATES } from '../output/marks.ts';
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
      // The demo's emulator is not registered, so other commands do not use it.
      const emulator = showEmulator(
        await runEmulator({ seed: DEMO_SEED, webhook: receiver.url, log: DEMO_LOG }),
      );
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

  /**
   * Runs `events tail` with the demo's emulator, whatever the user's settings are. Returns the exit code of `events tail` when the user
   * quits.
   */
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

/** Returns lines that explain what the demo shows, and why some events wait. */
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
const DEMO_LOG: Log = { info: ignore, warn: ignore, error: ignore };

/** The demo's webhook receiver. It sometimes fails, as real receivers do. */
interface DemoReceiver {
  url: string;
  counts(): { accepted: number; refused: number };
  close(): Promise<void>;
}

/** Every fourth request fails, so that retries and redeliveries can be tried. */
const FAILS_EVERY = 4;

async function startDemoReceiver(log: Log): Promise<DemoReceiver> {
  let [accepted, refused] = [0, 0];
  const respond: RequestListener = (request, response) => {
    request.resume();
    request.once('end', () => {
      const fails = (accepted + refused + 1) % FAILS_EVERY === 0;
      if (fails) refused++;
      else accepted++;
      response.writeHead(fails ? 500 : 200, { 'content-type': 'text/plain' });
      response.end(fails ? 'The demo receiver fails every fourth request.\n' : 'ok\n');
    });
  };
  const server = createHttpServer({}, respond, logOwnErrors(log));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    counts: () => ({ accepted, refused }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The customers' domains that exist when the demo starts. */
const DEMO_SEED: Seed = {
  domains: [
    { hostname: 'careers.acme.com', status: 'active', metadata: { customer: 'acme' } },
    { hostname: 'shop.globex.com', status: 'active', metadata: { customer: 'globex' } },
    { hostname: 'docs.initech.com', status: 'pending_dns', status_reason: 'dns_record_mismatch' },
  ],
};

type Step = { add: string } | { trigger: string; of: string };

/** The steps of the demo, in order. The hostname's first label, such as `caa-forbids`, can force an outcome. */
const STEPS: readonly Step[] = [
  { add: 'jobs.acme.com' },
  { add: 'caa-forbids.globex.com' },
  { trigger: 'dns_gone', of: 'careers.acme.com' },
  { add: 'dns-flapping.initech.com' },
  { trigger: 'dns_confirmed', of: 'careers.acme.com' },
  { trigger: 'certificate_renewed', of: 'shop.globex.com' },
  { add: 'help.acme.com' },
  { trigger: 'hold', of: 'docs.initech.com' },
  { trigger: 'release', of: 'docs.initech.com' },
  { add: 'status.globex.com' },
];

const STEP_MS = 3_000;

/** Plays the steps until the pacer stops. Skips a step that has become impossible, because the user may have changed the same domain. */
async function playDemo(client: Client, control: Request, { pause, signal }: Pacer): Promise<void> {
  for (const step of STEPS) {
    await pause(STEP_MS);
    if (signal.aborted) return;
    try {
      await play(step, client, control);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
    }
  }
}

async function play(step: Step, client: Client, control: Request): Promise<void> {
  if ('add' in step) {
    await client.domains.create({ hostname: step.add });
    return;
  }
  const { data } = await client.domains.list({ hostname: step.of, limit: 1 });
  const [domain] = data;
  if (domain === undefined) return;
  const path = `/_emulator/domains/${domain.id}/trigger`;
  await control({ method: 'POST', path, body: { trigger: step.trigger } });
}
