/**
 * A strict shape of JSON, as plain data. Every field must be present with its type, and no other field is allowed. The TypeScript types are
 * derived from the data.
 */
export type Shape =
  | keyof Named
  | `${keyof Named}?`
  | readonly [Shape]
  | OrNull<Shape>
  | { readonly [field: string]: Shape };

/** Names of JSON types. A `?` after the name allows null. */
interface Named {
  string: string;
  boolean: boolean;
  integer: number;
  timestamp: string;
  url: string;
  object: Record<string, unknown>;
  strings: Record<string, string>;
  app_id: string;
  dom_id: string;
  key_id: string;
  evt_id: string;
  dlv_id: string;
  mode: 'live' | 'test';
  status: string;
  event_type: string;
  delivery_status: string;
  apex_redirect: 'none' | 'www';
}

const STATUSES = 'pending_dns verifying issuing active dns_broken cert_failed expired held deleted';
const EVENT_TYPES =
  'domain.created domain.verified domain.active domain.dns_broken domain.cert_failed domain.certificate_renewed domain.deleted domain.held domain.released';

const CHECKS: Record<keyof Named, (value: unknown) => boolean> = {
  string: isString,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  // Checks for a time in RFC 3339 and UTC (`docs/api.md#the-service`).
  timestamp: (value) =>
    isString(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  url: (value) => isString(value) && /^https?:/.test(value) && URL.canParse(value),
  object: isObject,
  strings: (value) => isObject(value) && Object.values(value).every(isString),
  app_id: id('app'),
  dom_id: id('dom'),
  key_id: id('key'),
  evt_id: id('evt'),
  dlv_id: id('dlv'),
  mode: oneOf('live test'),
  status: oneOf(STATUSES),
  event_type: oneOf(EVENT_TYPES),
  delivery_status: oneOf('delivered pending failed none'),
  apex_redirect: oneOf('none www'),
};

/** The TypeScript type of a shape. A field whose name ends in `?` may be missing. */
export type TypeOf<S> = S extends keyof Named
  ? Named[S]
  : S extends `${infer N extends keyof Named}?`
    ? Named[N] | null
    : S extends readonly [infer Element]
      ? TypeOf<Element>[]
      : S extends OrNull<infer Inner>
        ? TypeOf<Inner> | null
        : { [F in keyof S as F extends `${string}?` ? never : F]: TypeOf<S[F]> } & {
            [F in keyof S as F extends `${infer N}?` ? N : never]?: TypeOf<S[F]>;
          };

interface OrNull<S> {
  readonly or_null: S;
}

/** Returns a shape of an object or a list that may be null. */
export function orNull<const S>(inner: S): OrNull<S> {
  return { or_null: inner };
}

/** Returns every difference between a value and a shape, with its path. The list is empty if the value matches. */
export function mismatches(shape: Shape, value: unknown, path = ''): string[] {
  if (typeof shape === 'string') {
    if (shape.endsWith('?') && value === null) return [];
    const name = shape.replace('?', '') as keyof Named;
    return CHECKS[name](value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${name}`];
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: is no list`];
    return value.flatMap((each, index) => mismatches(shape[0], each, `${path}[${index}]`));
  }
  if (isOrNull(shape)) return value === null ? [] : mismatches(shape.or_null, value, path);
  if (!isObject(value)) return [`${path}: ${JSON.stringify(value)} is no object`];
  const fields = Object.entries(shape).map(([name, inner]) => ({
    name: name.replace('?', ''),
    optional: name.endsWith('?'),
    inner,
  }));
  const unknown = Object.keys(value).filter((key) => !fields.some(({ name }) => name === key));
  return [
    ...unknown.map((key) => `${path}.${key}: is not in the contract`),
    ...fields.flatMap(({ name, optional, inner }) => {
      if (!Object.hasOwn(value, name)) return optional ? [] : [`${path}.${name}: is missing`];
      return mismatches(inner, value[name], `${path}.${name}`);
    }),
  ];
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isOrNull(shape: Shape): shape is OrNull<Shape> {
  return Object.keys(shape).join() === 'or_null';
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a check for ids: the prefix, then 26 lowercase characters (`docs/domains.md`). */
function id(prefix: string): (value: unknown) => boolean {
  return (value) => isString(value) && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(value);
}

function oneOf(names: string): (value: unknown) => boolean {
  const allowed = names.split(' ');
  return (value) => isString(value) && allowed.includes(value);
}
