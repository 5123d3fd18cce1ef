import { fileURLToPath } from 'node:url';
import { startPinned } from '../pinned-process.ts';
import { CLIENT_CORE, type Server } from './edge-contenders.ts';
import type { Pace } from './edge-pace.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('./edge-pace.ts'));
const CONNECTIONS = 32;

/** Sends requests at a fixed rate. @returns the 99th percentile of the requests' times, in milliseconds. */
export async function paced(
  hostname: string,
  server: Server,
  { seconds, perS }: { seconds: number; perS: number },
): Promise<number> {
  const client = startPinned(CLIENT_CORE, process.execPath, [PROGRAM], {
    PORT: String(server.port),
    HOSTNAME: hostname,
    CONNECTIONS: String(CONNECTIONS),
    PER_S: String(perS),
    SECONDS: String(seconds),
  });
  const { p99_ms } = JSON.parse(await client.line()) as Pace;
  await client.stop();
  return p99_ms;
}
