import { CLI, startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave } from '../rounds.ts';
import { type StartUp, startUpRows } from './start-up.ts';

const ROUNDS = 15;
const ABOVE_FLOOR_MAX_MS = 150;

/** Measures the time until `emulator start` is ready, beyond the time of a Node process that does nothing. */
export async function emulatorReady(): Promise<BenchRow[]> {
  const { emulator, floor } = await interleave(ROUNDS, { emulator: startEmulator, floor: startNode });
  return startUpRows('emulator ready', emulator, floor, ABOVE_FLOOR_MAX_MS);
}

async function startEmulator(): Promise<StartUp> {
  const startedAt = performance.now();
  const emulator = startProcess([CLI, 'emulator', 'start', '--ephemeral', '--port', '0', '--json']);
  try {
    await emulator.document();
    const wallMs = performance.now() - startedAt;
    return { wallMs, cpu_ms: await emulator.cpuMs() };
  } finally {
    await emulator.stop();
  }
}

async function startNode(): Promise<StartUp> {
  const startedAt = performance.now();
  const { cpu_ms } = await startProcess(['-e', '0']).ended();
  return { wallMs: performance.now() - startedAt, cpu_ms };
}
