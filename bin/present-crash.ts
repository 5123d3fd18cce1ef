import { createOutput, hasFlag } from '../cli/output/output.ts';
import { withoutSecrets } from '../cli/output/plain-text.ts';
import { presentError } from '../cli/runtime/error-presenter.ts';
import { fileFailure } from '../cli/runtime/file-failure.ts';
import { systemWorld } from '../cli/settings/world.ts';

/**
 * Reports an uncaught error and ends the process. Node itself would print every property of the error, which can include a request with its
 * API key.
 */
export function presentCrash(error: unknown, argv: readonly string[]): void {
  const world = systemWorld();
  const output = createOutput(world, { json: hasFlag(argv, '--json'), color: false });
  const exit = presentError(error, output);
  // Only the user can free space on a full disk, so the stack of our write does not help.
  if (error instanceof Error && fileFailure(error) === null) output.note(withoutSecrets(stackOf(error)));
  world.exit(exit);
}

/** Returns only the stack frames, because the message is already printed. */
function stackOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
