import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { Stay } from '../../shared/operations/under-lease.ts';

/** Wraps job handlers so that `note` receives the kind of each job that was done. */
export function countedHandlers(handlers: JobHandlers, note: (kind: string) => void): JobHandlers {
  const counted = Object.entries(handlers).map(([kind, handle]) => [
    kind,
    async (context: Context, job: never, stay: Stay) => {
      const dueAgain = await handle(context, job, stay);
      note(kind);
      return dueAgain;
    },
  ]);
  return Object.fromEntries(counted);
}
