import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashOf, TICKETS } from './nginx-files.ts';
import {
  endInstance,
  findRunning,
  hasSuccessor,
  type Instance,
  type InstanceFiles,
  instanceFolder,
  isOwnedBy,
  isRunning,
  signal,
  startInstance,
  takeOver,
} from './nginx-process.ts';

/** The nginx of this control half. */
export type RunningNginx = Awaited<ReturnType<typeof runNginx>>;

/**
 * Starts nginx, or takes over the one that an earlier control half started with the same settings.
 * @param folder the folder of all instances. @param onReplaced called with an nginx that has other settings, before it ends.
 */
export async function runNginx(
  folder: string,
  program: string,
  files: InstanceFiles,
  onReplaced: (instance: Instance) => Promise<unknown>,
) {
  const hash = hashOf(files('', ''));
  const owner = randomUUID();
  const start = async () => takeOver(folder, await startInstance(folder, program, hash, files), owner);

  async function begin(): Promise<Instance> {
    const running = await findRunning(folder);
    if (running?.hash === hash) return takeOver(folder, running, owner);
    const started = await start();
    if (running !== null) {
      await onReplaced(running);
      void endInstance(folder, running, OLD_GRACE_MS);
    }
    return started;
  }

  let instance = await begin();
  const own = () => instanceFolder(folder, instance);

  return {
    instance: () => instance,
    /** Returns the folder of its files, which a restart replaces. */
    folder: own,
    noteWorkers(workers: readonly number[]): void {
      instance = { ...instance, workers };
    },
    /** Returns whether nginx has ended. A control half that took nginx over also restarts it. */
    isLost: () => !isRunning(instance.pid) && !hasSuccessor(folder, owner),
    /** @throws CommandError if nginx does not start. */
    async restart(): Promise<void> {
      const workers = instance.workers ?? [];
      instance = await start();
      // Workers of a lost master go on serving until their connections have ended.
      for (const worker of workers) signal(worker, 'SIGQUIT');
    },
    /**
     * Writes new ticket keys, reloads nginx, and waits until the old workers no longer listen.
     * @param collect updates the known workers. @returns false if the new workers take too long.
     */
    async setTicketKeys(keys: Buffer, collect: () => Promise<void>): Promise<boolean> {
      const secret = path.join(own(), TICKETS);
      // An nginx that was taken over may have other keys than the last ones that this process was given.
      if (keys.equals(await readFile(secret).catch(() => NO_KEYS))) return true;
      await writeSecret(secret, keys);
      const before = instance.workers ?? [];
      signal(instance.pid, 'SIGHUP');
      // nginx starts new workers, which take over the ports.
      for (let waitedMs = 0; waitedMs < RELOAD_MS; waitedMs += STEP_MS) {
        await collect();
        // The old ones stop listening 100 ms after the new ones have started.
        if (!instance.workers?.some((each) => before.includes(each))) return delay(OLD_LISTEN_MS, true);
        await delay(STEP_MS);
      }
      return false;
    },
    reopenLogs: () => signal(instance.pid, 'SIGUSR1'),
    /** Returns false if a successor has taken nginx over. */
    isOwn: () => isOwnedBy(folder, instance, owner),
    end: (graceMs: number) => endInstance(folder, instance, graceMs),
  };
}

/** Time for the requests of an nginx with earlier settings. */
const OLD_GRACE_MS = 60_000;
const RELOAD_MS = 10_000;
const OLD_LISTEN_MS = 500;
const STEP_MS = 50;
const NO_KEYS = Buffer.alloc(0);

async function writeSecret(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  await handle.writeFile(content);
  await handle.close();
}
