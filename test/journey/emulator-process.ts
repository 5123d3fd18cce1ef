import { type BinProcess, startBin } from '../cli/bin-process.ts';

/** An emulator in its own process, and its control API. */
export interface EmulatorProcess extends AsyncDisposable {
  bin: BinProcess;
  url: string;
  edge_url: string;
  sandbox_origin: string;
  test_key: string;
  /** Kills the emulator with SIGKILL, like a crash. */
  kill(): Promise<void>;
  api(call: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>;
  control(call: string, body?: object): Promise<Record<string, unknown>>;
  /** Returns the time of the emulator's clock. */
  now(): Promise<number>;
}

/** Runs `emulator start --json` with these flags until it is ready. */
export async function startEmulatorProcess(
  flags: string[],
  env: Record<string, string>,
): Promise<EmulatorProcess> {
  const bin = startBin(['emulator', 'start', '--json', ...flags], env);
  await bin.untilStdout(/\n\}\n/);
  const { url, edge_url, sandbox_origin, keys } = JSON.parse(bin.stdout()) as {
    url: string;
    edge_url: string;
    sandbox_origin: string;
    keys: { test: string };
  };

  async function send(path: string, method: string, headers: Record<string, string>, body?: object) {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }

  async function control(call: string, body?: object): Promise<Record<string, unknown>> {
    const [method = '', path = ''] = call.split(' ');
    const answer = await send(`/_emulator${path}`, method, {}, body);
    if (answer.status >= 300) throw new Error(`${call}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  return {
    bin,
    url,
    edge_url,
    sandbox_origin,
    test_key: keys.test,
    control,
    api(call, body) {
      const [method = '', path = ''] = call.split(' ');
      return send(`/v1${path}`, method, { authorization: `Bearer ${keys.test}` }, body);
    },
    now: async () => Date.parse(String((await control('GET /clock'))['now'])),
    async kill() {
      bin.child.kill('SIGKILL');
      await bin.ended;
    },
    [Symbol.asyncDispose]: () => bin[Symbol.asyncDispose](),
  };
}
