import type { JobHandlers } from '../../shared/jobs/handlers.ts';

/** Wraps job handlers so that `note` receives the kind of each job that was done. */
export function countedHandlers(handlers: JobHandlers, note: (kind: string) => void): JobHandlers {
  const counted = Object.entries(handlers).map(([kind, handle]) => [
    kind,
    async (...job: Parameters<typeof handle>) => {
      const dueAgain = await handle(...job);
      note(kind);
      return dueAgain;
    },
  ]);
  return Object.fromEntries(counted);
}
