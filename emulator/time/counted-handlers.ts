import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import type { Context } from '../../shared/operations/context.ts';

/** Wraps job handlers so that `note` receives the kind of each job that was done. */
export function countedHandlers(handlers: JobHandlers, note: (kind: string) => void): JobHandlers {
  const counted = Object.entries(handlers).map(([kind, handle]) => [
    kind,
    async (context: Context, job: never) => {
      const dueAgain = await handle(context, job);
      note(kind);
      return dueAgain;
    },
  ]);
  return Object.fromEntries(counted);
}
