/** System errors that the user can fix, by Node's error code. */
const FAILURES: Readonly<Record<string, { reason: string; fix: string }>> = {
  ENOENT: {
    reason: 'the file or folder does not exist',
    fix: 'Check the path, or create its folder first.',
  },
  ENOTDIR: { reason: 'part of its path is not a folder', fix: 'Name another file.' },
  EISDIR: { reason: 'it is a folder', fix: 'Name a file.' },
  EACCES: { reason: 'permission is denied', fix: 'Name a file that you may use, or change its permissions.' },
  EPERM: { reason: 'the system does not permit it', fix: 'Name a file that you may use.' },
  EROFS: { reason: 'the file system is read-only', fix: 'Name a file on another file system.' },
  ENOSPC: { reason: 'no space is left on the device', fix: 'Free some space, or name another file.' },
  EDQUOT: { reason: 'your disk quota is used up', fix: 'Free some space, or name another file.' },
  EPIPE: { reason: 'the program that read the output has ended', fix: 'Read the output to the end.' },
};

/** Explains a system error of a file or of the output. Returns null for any other error. */
export function fileFailure(error: unknown): { message: string; fix: string } | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  const failure = FAILURES[String(error.code)];
  if (failure === undefined) return null;
  const { syscall } = error;
  const file = 'path' in error && typeof error.path === 'string' ? error.path : null;
  // An error of the output has no path, because the shell opened it.
  if (file === null && syscall !== 'write') return null;
  const act = syscall === 'read' || syscall === 'scandir' ? 'read' : 'write';
  const target = file ?? 'the output';
  const message = syscall === 'open' ? `Cannot open ${target}` : `Cannot ${act} ${target}`;
  return { message: `${message}: ${failure.reason}.`, fix: failure.fix };
}
