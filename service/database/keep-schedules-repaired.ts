import type { Context } from '../../shared/operations/context.ts';
import { repairSchedules } from '../../shared/operations/domains/repair-schedules.ts';
import type { DatabaseClock } from './database-clock.ts';

/**
 * Repairs due times that were set while the clock was ahead. Runs at the start, when this node's time goes back, and when a problem with
 * its time ends. Changes nothing during such a problem, because correct due times look too far ahead if the clock is behind. If a repair
 * fails, logs the error and tries again after the next measurement.
 * @param databaseClock null if the node uses another clock, which needs no check.
 */
export async function keepSchedulesRepaired(
  context: Pick<Context, 'store' | 'clock' | 'notices' | 'log'>,
  databaseClock: Pick<DatabaseClock, 'problem' | 'onMeasured'> | null,
): Promise<void> {
  let isDue = true;

  async function repairIfDue(): Promise<void> {
    const hasProblem = databaseClock !== null && databaseClock.problem() !== null;
    isDue ||= hasProblem;
    if (!isDue || hasProblem) return;
    isDue = false;
    try {
      await repairSchedules(context);
    } catch (error) {
      isDue = true;
      context.log.error({ error }, 'could not repair due times that a wrong clock had set');
    }
  }

  databaseClock?.onMeasured((hasGoneBack) => {
    isDue ||= hasGoneBack;
    void repairIfDue();
  });
  await repairIfDue();
}
