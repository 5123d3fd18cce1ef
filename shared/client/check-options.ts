import type { ClientOptions } from './client.ts';

const TESTS: { readonly [Name in keyof Required<ClientOptions>]: (value: unknown) => string | null } = {
  // What the value is, is not said: it may be a key that was mistyped.
  api_key: (value) =>
    typeof value === 'string' && /^sk_(live|test)_[0-9A-Za-z]+$/.test(value)
      ? null
      : 'must be an API key, which starts with sk_live_ or sk_test_',
  base_url: (value) => (isAddress(value) ? null : 'must be the http or https address of the API'),
  fetch: (value) => (typeof value === 'function' ? null : 'must be a function'),
  sleep: (value) => (typeof value === 'function' ? null : 'must be a function'),
  retries: (value) =>
    Number.isInteger(value) && Number(value) >= 0 ? null : 'must be a whole number, 0 or more',
  timeout_ms: (value) => (isDuration(value) && value > 0 ? null : 'must be milliseconds, more than 0'),
  wait_ms_max: (value) => (isDuration(value) ? null : 'must be milliseconds, 0 or more'),
};

const REQUIRED: readonly string[] = ['api_key', 'base_url'] satisfies (keyof ClientOptions)[];

/** Names the option at fault; a name that there is not is most often another way to write one that there is. */
export function checkOptions(options: ClientOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createClient takes { api_key, base_url }.');
  const names = Object.keys(TESTS);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const meant = names.find((known) => known.replaceAll('_', '') === name.replaceAll('_', '').toLowerCase());
    throw new TypeError(`${name} is no option of createClient${meant ? `: write ${meant}` : ''}.`);
  }
  for (const [name, test] of Object.entries(TESTS)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && !REQUIRED.includes(name)) continue;
    if (value === undefined) throw new TypeError(`${name} is missing${HINTS[name] ?? ''}.`);
    const problem = test(value);
    if (problem !== null) throw new TypeError(`${name} ${problem}.`);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  api_key: ': pass process.env.NAMEPLATE_API_KEY, say, and check that it is set',
  base_url: ': the emulator prints its own, http://127.0.0.1:4400 by default',
};

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
