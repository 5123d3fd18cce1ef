import { spawn } from 'node:child_process';
import { CliError } from './cli-error.ts';

/** Opens an http(s) address in the user's browser. Refuses other schemes, because the address may come from a server. */
export async function openUrl(address: string): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw cannotOpen('The address is not an http or https address.');
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
    child.once('error', (cause) => reject(cannotOpen(`Cannot start ${program}.`, cause)));
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function cannotOpen(message: string, cause?: unknown): CliError {
  return new CliError('unexpected', message, { fix: 'Open the printed address yourself.', cause });
}
