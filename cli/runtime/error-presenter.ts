import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import type { Output } from '../output/output.ts';
import { plainText, withoutSecrets } from '../output/plain-text.ts';
import { CliError } from './cli-error.ts';
import { exitCodeFor } from './exit-codes.ts';

/** The fields of an error that are printed as text or JSON: the four fields of an API error, the exit code, and details. */
export interface PresentedError {
  code: string;
  message: string;
  fix: string;
  docs: string;
  exit: number;
  status?: number;
  request_id?: string;
  retry_after_s?: number;
  status_detail?: unknown;
}

const OWN_DOCS = 'nameplate help exit-codes';

/** Prints the error and returns the exit code. */
export function presentError(error: unknown, output: Output, exitOverride?: number): number {
  const described = describeError(error);
  const presented = { ...described, exit: exitOverride ?? described.exit };
  if (output.json) output.result({ error: presented }, () => []);
  else noteError(presented, output);
  return presented.exit;
}

/** Prints an error as text. */
export function noteError(presented: PresentedError, output: Output): void {
  for (const line of lines(clean(presented), output)) output.note(line);
}

/** Returns the fields of an error to print. API keys are removed from the texts. */
export function describeError(error: unknown): PresentedError {
  return clean(fieldsOf(error));
}

function fieldsOf(error: unknown): PresentedError {
  if (error instanceof ApiError) {
    const { code, message, fix, docs, status, request_id, retry_after_s, status_detail } = error;
    return {
      code,
      message,
      fix,
      docs,
      exit: exitCodeFor(code, status),
      status,
      ...(request_id !== undefined && { request_id }),
      ...(retry_after_s !== undefined && { retry_after_s }),
      ...(status_detail !== undefined && { status_detail }),
    };
  }
  if (error instanceof CliError) {
    const { code, status, status_detail } = error;
    const exit = exitCodeFor(code, status);
    return { ...own(code, error.message, error.fix), exit, ...(status_detail && { status_detail }) };
  }
  if (error instanceof NetworkError) {
    return own('network_error', error.message, 'Check the address and your connection, then try again.');
  }
  if (isParseError(error)) {
    return own('usage', 'The command line is not valid.', 'Add --help to see the arguments and flags.');
  }
  const failure = fileFailure(error);
  if (failure !== null) return own('file_error', failure.message, failure.fix);
  const message = error instanceof Error ? error.message : String(error);
  return own('unexpected', message, 'Run it again. If it fails again, report this message.');
}

function own(code: string, message: string, fix: string): PresentedError {
  return { code, message, fix, docs: OWN_DOCS, exit: exitCodeFor(code) };
}

/** Returns true for an error of oclif's parser that `parse-error.ts` does not explain, so that it still has oclif's message. */
function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'oclif' in error;
}

function clean(presented: PresentedError): PresentedError {
  // Remove secrets: if a user has typed a key instead of a name, the message repeats the key.
  return JSON.parse(withoutSecrets(JSON.stringify(presented)));
}

function lines(
  { code, message, fix, docs, request_id, retry_after_s }: PresentedError,
  output: Output,
): string[] {
  const [first = '', ...more] = message.split('\n');
  return [
    `${output.paint('red', 'Error:')} ${plainText(first)} ${output.paint('dim', `(${plainText(code)})`)}`,
    ...more.map((line) => `  ${plainText(line)}`),
    `  Fix:  ${plainText(fix)}`,
    `  Docs: ${plainText(docs)}`,
    ...(retry_after_s === undefined ? [] : [`  Wait: ${retry_after_s} s`]),
    ...(request_id === undefined ? [] : [`  Id:   ${plainText(request_id)}`]),
  ];
}

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
  // An error on stdout has no path, because the shell opened the file.
  if (file === null && syscall !== 'write') return null;
  const act = syscall === 'read' || syscall === 'scandir' ? 'read' : 'write';
  const target = file ?? 'the output';
  const message = syscall === 'open' ? `Cannot open ${target}` : `Cannot ${act} ${target}`;
  return { message: `${message}: ${failure.reason}.`, fix: failure.fix };
}

/** Formats an error as one line: the message, the fix, and how long to wait before trying again. */
export function problemOf(error: unknown): string {
  const { message, fix, retry_after_s } = describeError(error);
  return plainText(`${message} ${fix}${retry_after_s === undefined ? '' : ` Wait ${retry_after_s} s.`}`);
}
