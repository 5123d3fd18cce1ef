import type { JobHandlers } from '../../shared/jobs/handlers.ts';

/** Wraps job handlers so that `note` receives the kind of each job that was done. */
export function countedHandlers(handlers: JobHandlers, note: (kind: string) => void): JobHandlers {
  const counted = Object.entries(handlers).map(([kind, handle]) => [
    kind,
    async (...job: Parameters<typeof handle>) => {
      const due_again = await handle(...job);
      note(kind);
      return due_again;
    },
  ]);
  return Object.fromEntries(counted);
}
