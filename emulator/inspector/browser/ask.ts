/** What the emulator refused, in the API's own fields. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string | null;

  constructor(status: number, code: string, message: string, fix: string | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.fix = fix;
  }
}

/** What to tell of an error, in sentences: of a refusal what to do, too. */
export function sentencesOf(thrown: unknown): string[] {
  if (thrown instanceof Refusal) return [thrown.message, thrown.fix ?? ''].filter(Boolean);
  return [`It did not work: ${thrown instanceof Error ? thrown.message : thrown}`];
}

/**
 * A call of the control surface.
 * @param call method and path below `/_emulator`, such as `POST /clock/advance`.
 * @param signal ends the request, as an emulator that does not answer.
 * @throws Refusal
 */
export function ask<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  return send<T>('/_emulator', call, {}, body, signal);
}

/** A call of the API, below `/v1`. @throws Refusal */
export function askApi<T>(key: string, call: string, body?: object): Promise<T> {
  return send<T>('/v1', call, { authorization: `Bearer ${key}` }, body);
}

async function send<T>(
  base: string,
  call: string,
  headers: Record<string, string>,
  body: object | undefined,
  signal: AbortSignal | null = null,
): Promise<T> {
  const [method = '', path = ''] = call.split(' ');
  const init: RequestInit = { method, headers, cache: 'no-store', signal };
  if (body !== undefined) {
    init.headers = { ...headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(base + path, init).catch(doesNotAnswer);
  const text = await answer.text().catch(doesNotAnswer);
  if (answer.ok) return (text === '' ? null : JSON.parse(text)) as T;
  throw refusalOf(answer.status, text);
}

/** Not at all, or not to the end. */
function doesNotAnswer(): never {
  throw new Refusal(0, 'unreachable', 'The emulator does not answer.', 'See whether it still runs.');
}

function refusalOf(status: number, text: string): Refusal {
  try {
    const { code, message, fix, fields = [] } = JSON.parse(text).error;
    const places = fields.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
    return new Refusal(status, code, [message, ...places].join(' '), fix ?? null);
  } catch {
    return new Refusal(status, 'unknown', `The emulator answered ${status}.`);
  }
}
