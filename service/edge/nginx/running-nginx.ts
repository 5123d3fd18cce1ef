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
  isRunning,
  signal,
  startInstance,
  takeOver,
} from './nginx-process.ts';

/** The nginx that this node process controls. */
export type RunningNginx = Awaited<ReturnType<typeof runNginx>>;

/**
 * Starts nginx, or takes over the nginx that an earlier node process started with the same settings.
 * @param folder the folder of all instances. @param onReplaced called before an nginx with other settings is ended.
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
    /** Returns the folder of nginx's files. A restart creates a new folder. */
    folder: own,
    noteWorkers(workers: readonly number[]): void {
      instance = { ...instance, workers };
    },
    /** Returns true if another node process has taken nginx over. */
    isTaken: () => hasSuccessor(folder, owner),
    /** Returns true if nginx has ended. */
    isLost: () => !isRunning(instance.pid),
    /** @throws CommandError if nginx does not start. */
    async restart(): Promise<void> {
      const workers = instance.workers ?? [];
      instance = await start();
      // Without their master, workers continue to serve until their connections have ended, so ask them to quit.
      for (const worker of workers) signal(worker, 'SIGQUIT');
    },
    /**
     * Writes new ticket keys, reloads nginx, and waits until the old workers no longer listen.
     * @param collect updates the list of known workers. @returns false if the new workers take too long to start.
     */
    async setTicketKeys(keys: Buffer, collect: () => Promise<void>): Promise<boolean> {
      const secret = path.join(own(), TICKETS);
      // Read the keys from the file, because an nginx that was taken over may have other keys than this process knows.
      if (keys.equals(await readFile(secret).catch(() => NO_KEYS))) return true;
      await writeSecret(secret, keys);
      const before = instance.workers ?? [];
      signal(instance.pid, 'SIGHUP');
      // After SIGHUP, nginx starts new workers, which take over the ports.
      for (let waitedMs = 0; waitedMs < RELOAD_MS; waitedMs += STEP_MS) {
        await collect();
        // The old workers stop listening 100 ms after the new workers have started.
        if (!instance.workers?.some((each) => before.includes(each))) return delay(OLD_LISTEN_MS, true);
        await delay(STEP_MS);
      }
      return false;
    },
    reopenLogs: () => signal(instance.pid, 'SIGUSR1'),
    end: (graceMs: number) => endInstance(folder, instance, graceMs),
  };
}

/** The time that an nginx with earlier settings has to finish its requests. */
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
