import { lstatSync, mkdirSync } from 'node:fs';
import { CommandError } from '../../commands/operator/command-error.ts';

/**
 * Creates the folder of nginx, or checks the existing one. A user who can write to the folder can replace the control socket, and thereby
 * all routes and certificates. In the system's folder for temporary files, any user could have created the folder before us.
 * @throws CommandError unless it is a folder that only this user can enter.
 */
export function openFolder(folder: string): void {
  const fault = faultOf(folder);
  if (fault === null) return;
  throw new CommandError(
    'edge_folder_unusable',
    `The folder of nginx ${folder} ${fault}.`,
    'Remove it or set NAMEPLATE_EDGE_FOLDER to another one, then start the node, which creates the folder for its own user alone.',
  );
}

function faultOf(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return `cannot be created (${code})`;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory()) return 'is not a folder';
  if (found.uid !== process.geteuid?.()) return 'belongs to another user';
  return (found.mode & 0o077) === 0 ? null : 'is open to other users';
}
