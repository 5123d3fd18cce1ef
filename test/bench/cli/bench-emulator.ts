import { CLI, type MeasuredProcess, startProcess } from '../measured-process.ts';

export interface BenchEmulator {
  process: MeasuredProcess;
  url: string;
  test_key: string;
  /** Sends a request. @throws Error if the response is not 2xx. */
  request(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** An emulator in its own process, started by the CLI without a state file. */
export async function startBenchEmulator(): Promise<BenchEmulator> {
  const child = startProcess([CLI, 'emulator', 'start', '--ephemeral', '--port', '0', '--json']);
  const { url, keys } = (await child.document()) as { url: string; keys: { test: string } };
  return {
    process: child,
    url,
    test_key: keys.test,
    async request(method, path, body) {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    stop: child.stop,
  };
}
