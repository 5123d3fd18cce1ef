import { spawn } from 'node:child_process';
import type { TextStream, World } from '../../settings/world.ts';

/**
 * Copies a text with OSC 52, which also reaches the clipboard of a remote terminal, if the terminal allows it. On this machine, also hands the
 * text to the system's own program. Returns true if that program took it; without it, the terminal does not say whether it did.
 */
export async function copyText(text: string, terminal: TextStream, env: World['env']): Promise<boolean> {
  terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  const [program, ...args] = clipboardProgram(env);
  if (program === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    // The program may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Returns the command line of the clipboard program. Empty in a remote shell, because the user pastes on another machine. */
export function clipboardProgram(env: World['env'], platform: string = process.platform): string[] {
  if (env['SSH_CONNECTION']) return [];
  if (platform === 'darwin') return ['pbcopy'];
  if (platform === 'win32') return ['clip'];
  if (env['WAYLAND_DISPLAY']) return ['wl-copy'];
  return env['DISPLAY'] ? ['xclip', '-selection', 'clipboard'] : [];
}
