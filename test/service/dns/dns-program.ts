import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/nameplate.js');

/** Runs `nameplate service start` from the build in its own process. @param env the settings of the node. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; listening: { host: string; port: number } }> {
  const child = spawn(process.execPath, [PROGRAM, 'service', 'start', '--json'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    // Only the brace that ends the JSON document is at the start of a line.
    if (line.startsWith('}') || (text === line && line.endsWith('}'))) break;
  }
  const [listen = ''] = (JSON.parse(text) as { dns_listen: string[] }).dns_listen;
  const [host = '', port] = listen.split(':');
  return { child, listening: { host, port: Number(port) } };
}
