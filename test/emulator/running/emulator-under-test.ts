import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator/start.ts';

/** An emulator in this process. `api` calls its API with a key, and `control` calls its control API, which needs no key. */
export interface EmulatorUnderTest extends AsyncDisposable {
  emulator: Emulator;
  /** Calls the API below `/v1`, with the default test key unless another one is given. */
  api(call: string, body?: unknown, key?: string): Promise<Answered>;
  /** Calls the control API below `/_emulator`. */
  control(call: string, body?: unknown): Promise<Answered>;
  /** The warnings and errors that the emulator logged. */
  logged: string[];
}

export interface Answered {
  status: number;
  body: ResponseBody;
  headers: Headers;
}

/** The fields of a response that tests read. A field that the response lacks is undefined, so an expectation of its value fails. */
export interface ResponseBody {
  id: string;
  status: string;
  created_at: string;
  data: ResponseBody[];
  error: { code: string; message: string; status_detail: Record<string, unknown> };
  now: string;
  steps: number;
  test_key: string;
  live_key: string;
  app: { id: string };
  [name: string]: unknown;
}

/** Starts an emulator. By default, its clock is frozen, so that nothing happens by itself. */
export async function emulatorUnderTest(options: EmulatorOptions = {}): Promise<EmulatorUnderTest> {
  const logged: string[] = [];
  const emulator = await startEmulator({
    clock: 'frozen',
    log: {
      info: () => undefined,
      warn: (fields, message) => logged.push(`${message} ${fields.error}`),
      error: (fields, message) => logged.push(`${message} ${fields.error}`),
    },
    ...options,
  });
  return {
    emulator,
    logged,
    api: (call, body, key = emulator.keys.test) =>
      send(emulator.url, call, '/v1', body, { authorization: `Bearer ${key}` }),
    control: (call, body) => send(emulator.url, call, '/_emulator', body, {}),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** @param call method and path, such as `POST /domains`. */
async function send(
  url: string,
  call: string,
  prefix: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answered> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(url + prefix + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
}
