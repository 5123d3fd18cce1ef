import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_COMMANDS } from '../../bin/main.ts';
import { BaseCommand } from '../../cli/runtime/base-command.ts';
import { CONTROL_ROUTES } from '../../emulator/control/routes.ts';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { STYLE } from '../../shared/embed/browser/style.ts';
import { errorCodesOf } from '../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, ROUTES } from '../../shared/schema/routes.ts';

/** A rule that compares one kind of statement in the guides with the code. */
export interface StatementRule {
  /** Returns the wrong statements of a line. @param line a line outside of code blocks, with its inline code. */
  wrong: (line: string) => string[];
  /** Lines with a wrong statement, which prove that the rule can fail. */
  breaches: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const source = globSync('{bin,cli,emulator,service,shared}/**/*.{ts,tsx,lua}', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
const words = new Set(source.match(/\w+/g));
const routes: readonly ApiRoute[] = Object.values(ROUTES);

const anyId = (address: string) => address.replace(/\{\w+\}|:\w+/g, '{}');
const ENDPOINTS = new Map<string, readonly string[]>([
  ...routes.map(
    (route) => [anyId(`${route.method} ${route.path}`), Object.keys(route.query?.shape ?? {})] as const,
  ),
  ...CONTROL_ROUTES.map(({ method, path: below }) => [anyId(`${method} /_emulator${below}`), []] as const),
  ['GET /', []],
  ['GET /v1/connect', []],
  ['POST /v1/connect/check', []],
]);

/** Names that our code does not contain: of other products, of their settings, and of the reader's own code. */
export const FOREIGN = [
  'hot_standby_feedback',
  'max_standby_streaming_delay',
  'synchronous_standby_names',
  ...['INK_SCREEN_READER', 'NAMEPLATE_WEBHOOK_SECRETS', 'RAW_URI', 'REQUEST_URI'],
  ...['ERR_SSL_VERSION_OR_CIPHER_MISMATCH', 'SSL_ERROR_HANDSHAKE_FAILURE_ALERT'],
  ...['price_new', 'price_old', 'proxy_add_x_forwarded_for', 'reverse_proxy'],
  ...['process_resident_memory_bytes', 'max_connections', 'nameplate_http_request_duration_seconds_count'],
  ...['wal_compression', 'checkpoint_timeout', 'shared_buffers'],
  ...['incoming_address', 'target_address', 'redirect_www', 'custom_origin_server', 'ownership_verification'],
  ...['custom_metadata', 'custom_origin_sni', 'custom_hostnames', 'fallback_origin', 'pending_validation'],
  ...['pending_issuance', 'pending_deployment', 'validation_timed_out', 'issuance_timed_out'],
  ...['claude_desktop_config', 'rsa_keygen_bits', 'get_data', 'csrf_exempt', 'get_full_path', 'raw_post'],
  ...['skip_forgery_protection', 'original_fullpath'],
];

const NAMES = new Set([
  ...words,
  ...FOREIGN,
  // The tools of `nameplate mcp` have the names of the operations in snake case.
  ...Object.keys(ROUTES).map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
]);
const HEADERS =
  `${source}\n${['Service', 'Acme'].flatMap((name) => Object.values(serviceNames(name))).join('\n')}`.toLowerCase();

const commands = new Map(
  await Promise.all(
    Object.entries(ALL_COMMANDS).map(async ([id, { load }]) => {
      const { flags } = await load();
      const all = Object.entries({ ...BaseCommand.baseFlags, ...flags });
      const names = all.flatMap(([name, { char, ...flag }]) => [
        `--${name}`,
        ...('allowNo' in flag && flag.allowNo ? [`--no-${name}`] : []),
        ...(char ? [`-${char}`] : []),
      ]);
      return [id.replaceAll(':', ' '), new Set([...names, '--help'])] as const;
    }),
  ),
);
const topics = new Set([...commands.keys()].map((command) => command.split(' ')[0]));

/** Flags of npx, which are not flags of `nameplate`. */
const OTHER_FLAGS = ['--no'];

export const STATEMENT_RULES: Readonly<Record<string, StatementRule>> = {
  'an error code stands beside its own status': {
    wrong: (line) =>
      [...line.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)].flatMap(([said, status, code = '']) => {
        if (code in ERRORS) return ERRORS[code as ErrorCode].status === Number(status) ? [] : [said];
        return words.has(code) ? [] : [said];
      }),
    breaches: ['It gets 404 `forbidden`.', 'It gets 422 `origin_forbidden`.'],
  },
  'an endpoint exists, with the parameters that are named': {
    wrong: (line) =>
      endpointsIn(line).flatMap(({ said, endpoint, parameters }) => {
        const known = ENDPOINTS.get(endpoint);
        if (known === undefined) return [said];
        return parameters.some((each) => !each.startsWith('metadata.') && !known.includes(each))
          ? [said]
          : [];
      }),
    breaches: [
      'Call `POST /v1/domains/{id}/check`.',
      '`GET /v1/domains?host=acme`',
      '`PUT /_emulator/clock`',
    ],
  },
  'an operation responds with the code that is named beside it': {
    wrong: (line) => {
      const named = new Set(endpointsIn(line).map(({ endpoint }) => endpoint));
      const responding = routes.filter((route) => named.has(anyId(`${route.method} ${route.path}`)));
      if (responding.length === 0) return [];
      const codes = new Set<string>(responding.flatMap(errorCodesOf));
      return [...line.matchAll(/\b[45]\d\d `([a-z_]+)`/g)].flatMap(([said, code = '']) =>
        code in ERRORS && !codes.has(code) ? [said] : [],
      );
    },
    breaches: ['`GET /v1/domains` gets 402 `card_required`.'],
  },
  'a setting or a field has a name that the code knows': {
    wrong: (line) =>
      codesIn(line).flatMap((code) =>
        [...code.matchAll(/(?<![\w…-])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b/g)]
          .map(([name]) => name)
          .filter((name) => !NAMES.has(name)),
      ),
    breaches: ['Set `NAMEPLATE_EDGE_PORT`.', '`origin_error` says why.'],
  },
  'a header has a name that the code knows': {
    wrong: (line) =>
      codesIn(line).filter(
        (code) => /^[A-Z]\w*(?:-[A-Z]\w*)+$/.test(code) && !HEADERS.includes(code.toLowerCase()),
      ),
    breaches: ['The header `X-Unknown-Parameters` names them.', '`Service-Attempt-Id` names the attempt.'],
  },
  'a command exists, with the flags that are named': {
    wrong: (line) => codesIn(line).flatMap(wrongCommand),
    breaches: [
      '`nameplate domains delete`',
      '`domains add --wait-for active`',
      '`nameplate events list | grep x`: `npx nameplate events lists`',
      '`--allow-proxies`',
    ],
  },
};

/** Returns the code if it names a command that does not exist, or an unknown flag. `keys create|revoke` names two commands. */
function wrongCommand(code: string): string[] {
  const called = code.replace(/^(?:npx )?nameplate /, '');
  const [line = ''] = called.replaceAll('\\|', '|').split(/ -- | \| /);
  const typed = line.split(' ');
  const [first = '', second] = typed;
  // A CSS property of the component looks like a flag.
  if (/^--[a-z]/.test(first))
    return KNOWN_FLAGS.has(nameOf(first)) || STYLE.includes(`var(${first}`) ? [] : [code];
  if (second === '…' || (called === code && (second === undefined || !topics.has(first)))) return [];
  const at = typed.slice(0, 3).findIndex((word) => word.includes('|'));
  const alternatives = at < 0 ? [typed] : (typed[at]?.split('|') ?? []).map((word) => typed.with(at, word));
  return alternatives.every(isCommand) ? [] : [code];
}

function isCommand(typed: readonly string[]): boolean {
  const id = [3, 2, 1].map((count) => typed.slice(0, count).join(' ')).find((each) => commands.has(each));
  const flags = typed.filter((word) => /^--?[a-z]/.test(word)).map(nameOf);
  return id !== undefined && flags.every((flag) => commands.get(id)?.has(flag));
}

const KNOWN_FLAGS = new Set([...[...commands.values()].flatMap((flags) => [...flags]), ...OTHER_FLAGS]);

function nameOf(flag: string): string {
  return flag.split('=')[0] ?? flag;
}

function codesIn(line: string): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

interface NamedEndpoint {
  said: string;
  /** Method and path, with `{}` for each id. */
  endpoint: string;
  parameters: string[];
}

/** Returns the endpoints that a line names with a method, of our API and of the emulator's control API. */
function endpointsIn(line: string): NamedEndpoint[] {
  return codesIn(line).flatMap((said) => {
    const [, method, address = '', query = ''] =
      /^(GET|POST|PUT|PATCH|DELETE) (\/[^?\s]*)(?:\?(\S*))?$/.exec(said) ?? [];
    const isOurs = /^\/(?:v1\/|_emulator\/|$)/.test(address);
    if (method === undefined || !isOurs) return [];
    const parameters = query.split('&').flatMap((each) => each.split('=')[0] || []);
    return [{ said, endpoint: anyId(`${method} ${address}`), parameters }];
  });
}
