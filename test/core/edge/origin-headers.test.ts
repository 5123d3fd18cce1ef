import { expect, test } from 'vitest';
import { parseOriginHeaders } from '../../../shared/core/edge/origin-headers.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';

const parse = (value: unknown) => parseOriginHeaders(value, serviceNames('Service'));

test('the check of origin headers returns headers exactly as given', () => {
  const headers = { 'X-Team': 'careers', 'X-Region-2': 'eu ~ west', 'X-1': 'x'.repeat(1024) };
  expect(parse(headers)).toEqual({ ok: true, value: headers });
  expect(parse({ 'X-ServiceX': 'a', 'X-Service': 'b' })).toHaveProperty('value');
});

test('origin headers that are null or an empty object remove all headers', () => {
  expect(parse(null)).toEqual({ ok: true, value: null });
  expect(parse({})).toEqual({ ok: true, value: null });
});

test.each([[[]], ['X-A: b'], [1], [true], [undefined]])('the check of origin headers rejects %j', (value) => {
  expect(parse(value)).toEqual({
    ok: false,
    problem: [{ path: 'origin_headers', message: expect.stringContaining('object') }],
  });
});

test.each([
  'Authorization',
  'x-team',
  'X-',
  'X_Team',
  'X-Te am',
  'X-Team:',
  'X-Té',
  'X-A\r\nHost',
  '',
  ' X-A',
  'X-A\n',
  '__proto__',
  'constructor',
])('the check of origin headers refuses the name %j', (name) => {
  const result = parse(JSON.parse(`{${JSON.stringify(name)}: "v"}`));
  expect(result).toEqual({
    ok: false,
    problem: [{ path: expect.any(String), message: expect.stringContaining('must be X-') }],
  });
});

test.each(['X-Service-Domain-Id', 'X-SERVICE-Anything', 'X-Forwarded-For', 'X-forwarded-Proto'])(
  'the origin header %s is refused because the service uses this name',
  (name) => {
    const message = expect.stringContaining('must not start with');
    expect(parse({ [name]: 'v' })).toEqual({
      ok: false,
      problem: [{ path: `origin_headers.${name}`, message }],
    });
  },
);

test('the prefix of origin headers that the service reserves contains its name', () => {
  const names = serviceNames('Nameplate');
  expect(parseOriginHeaders({ 'X-Nameplate-Domain-Id': 'v' }, names)).toHaveProperty('problem');
  expect(parseOriginHeaders({ 'X-Service-Domain-Id': 'v' }, names)).toHaveProperty('value');
});

test.each(['', 'x'.repeat(1025), 'a\r\nX-B: c', 'a\tb', 'a\0', 'é', '\x7f', 1, null, ['a'], {}])(
  'the check of origin headers refuses the value %j',
  (value) => {
    expect(parse({ 'X-A': value })).toEqual({
      ok: false,
      problem: [{ path: 'origin_headers.X-A', message: expect.any(String) }],
    });
  },
);

test.each([' eu', 'eu ', ' '])(
  'the check of origin headers refuses the value %j, whose spaces would be lost',
  (value) => {
    const message = 'must not begin or end with a space, because HTTP removes it';
    expect(parse({ 'X-A': value })).toEqual({
      ok: false,
      problem: [{ path: 'origin_headers.X-A', message }],
    });
  },
);

test('the check of origin headers refuses a name that differs from another only in case', () => {
  expect(parse({ 'X-Team': 'a', 'X-TEAM': 'b' })).toEqual({
    ok: false,
    problem: [{ path: 'origin_headers.X-TEAM', message: 'is given twice' }],
  });
});

test('the check of origin headers lists every problem, with short and printable names', () => {
  const result = parse({ [`Y\n${'y'.repeat(5000)}`]: 'v', 'X-A': '', 'X-B': 'fine' });
  const problems = 'problem' in result ? result.problem : [];
  expect(problems).toHaveLength(2);
  expect(problems[0]?.path).not.toContain('\n');
  expect(problems[0]?.path.length).toBeLessThan(200);
});

test('the check of origin headers allows five headers, and reports six as one problem', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']));
  expect(parse(headers(5))).toHaveProperty('value');
  expect(parse(headers(6))).toEqual({
    ok: false,
    problem: [{ path: 'origin_headers', message: 'has 6 headers, at most 5 are allowed' }],
  });
});

test('the check of origin headers refuses a very long name', () => {
  expect(parse({ [`X-${'a'.repeat(126)}`]: 'v' })).toHaveProperty('value');
  expect(parse({ [`X-${'a'.repeat(127)}`]: 'v' })).toHaveProperty('problem');
});
