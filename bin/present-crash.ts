import { createOutput, hasFlag } from '../cli/output/output.ts';
import { withoutSecrets } from '../cli/output/plain-text.ts';
import { presentError } from '../cli/runtime/error-presenter.ts';
import { fileFailure } from '../cli/runtime/file-failure.ts';
import { systemWorld } from '../cli/settings/world.ts';

/** Ends the process for what nobody caught. Node would print all that the error carries, a request with its key too. */
export function presentCrash(error: unknown, argv: readonly string[]): void {
  const world = systemWorld();
  const output = createOutput(world, { json: hasFlag(argv, '--json'), color: false });
  const exit = presentError(error, output);
  // Only the user can free a full disk, so the stack of our write does not help.
  if (error instanceof Error && fileFailure(error) === null) output.note(withoutSecrets(stackOf(error)));
  world.exit(exit);
}

/** Where it happened; what happened is told already. */
function stackOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
