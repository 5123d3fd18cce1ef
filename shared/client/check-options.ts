import type { ClientOptions } from './client.ts';

const TESTS: { readonly [Name in keyof Required<ClientOptions>]: (value: unknown) => string | null } = {
  // The error message does not repeat the value, because it may be a mistyped key.
  apiKey: (value) =>
    typeof value === 'string' && /^sk_(live|test)_[0-9A-Za-z]+$/.test(value)
      ? null
      : 'must be an API key, which starts with sk_live_ or sk_test_',
  baseUrl: (value) => (isAddress(value) ? null : 'must be the http or https URL of the API'),
  fetch: (value) => (typeof value === 'function' ? null : 'must be a function'),
  sleep: (value) => (typeof value === 'function' ? null : 'must be a function'),
  retries: (value) =>
    Number.isInteger(value) && Number(value) >= 0 ? null : 'must be a whole number, at least 0',
  timeoutMs: (value) =>
    isDuration(value) && value > 0 ? null : 'must be a number of milliseconds, more than 0',
  maxWaitMs: (value) => (isDuration(value) ? null : 'must be a number of milliseconds, at least 0'),
};

const REQUIRED: readonly string[] = ['apiKey', 'baseUrl'] satisfies (keyof ClientOptions)[];

/** Checks the options of a client. Suggests the known option for a misspelled one. @throws TypeError if an option is wrong. */
export function checkClientOptions(options: ClientOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createClient takes { apiKey, baseUrl }.');
  const names = Object.keys(TESTS);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const meant = names.find((known) => known.toLowerCase() === name.replaceAll('_', '').toLowerCase());
    throw new TypeError(`createClient has no option ${name}${meant ? `: use ${meant}` : ''}.`);
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
  apiKey: ': pass process.env.NAMEPLATE_API_KEY, for example, and check that it is set',
  baseUrl: ': the emulator prints its own, by default http://127.0.0.1:4400',
};

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
