import { CLI, startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave } from '../rounds.ts';
import { startBenchEmulator } from './bench-emulator.ts';
import { type StartUp, startUpRows } from './start-up.ts';

const ROUNDS = 15;
const ABOVE_FLOOR_MAX_MS = 80;
const COMMANDS = [
  ['--version'],
  ['whoami', '--json'],
  ['domains', 'list', '--json'],
  ['domains', 'list'],
  ['domains', '--help'],
];

/** Measures commands that send at most one request: how much longer they take than a Node process that does nothing. */
export async function plainCommand(): Promise<BenchRow[]> {
  const emulator = await startBenchEmulator();
  const extra = { NAMEPLATE_BASE_URL: emulator.url, NAMEPLATE_API_KEY: emulator.test_key };
  try {
    for (let i = 0; i < 20; i++) {
      await emulator.request('POST', '/v1/domains', { hostname: `careers.example-${i}.com` });
    }
    const commands = COMMANDS.map((words) => [
      `nameplate ${words.join(' ')}`,
      () => run([CLI, ...words], extra),
    ]);
    const { floor = [], ...samples } = await interleave<string, StartUp>(ROUNDS, {
      floor: () => run(['-e', '0'], extra),
      ...Object.fromEntries(commands),
    });
    return Object.entries(samples).flatMap(([name, costs]) =>
      startUpRows(name, costs, floor, ABOVE_FLOOR_MAX_MS),
    );
  } finally {
    await emulator.stop();
  }
}

async function run(args: readonly string[], extra: NodeJS.ProcessEnv): Promise<StartUp> {
  const startedAt = performance.now();
  const { cpu_ms } = await startProcess(args, extra).ended();
  return { wallMs: performance.now() - startedAt, cpu_ms };
}
