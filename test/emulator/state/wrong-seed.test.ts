import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmulator } from '../../../emulator/start.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-wrong-seed-'));
  file = path.join(folder, 'seed.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A YAML bomb: each line repeats the previous one nine times, so the parsed value would grow exponentially. */
const BOMB = `app:\n  a: &a [x]\n${['ba', 'cb', 'dc', 'ed', 'fe']
  .map(([to, from]) => `  ${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]\n`)
  .join('')}`;

describe('the emulator does not start with a wrong seed', () => {
  test.each([
    [
      'domains:\n  - hostnam: a.acme.com\n',
      /:2: domains\[0\]\.hostnam: unknown key; did you mean hostname\?/,
    ],
    [
      'domains:\n  - hostname: a.acme.com\n    status: life\n',
      /:3: domains\[0\]\.status: must be one of .*, active,/,
    ],
    ['app:\n  name: a\nmetadata: {}\n', /:3: metadata: unknown key here$/],
    ['app:\n  name: a\ndomains: *nope\n', /:3: \*nope has no anchor/],
    ['app:\n  *nope : a\n', /:2: \*nope has no anchor/],
    [
      'domains:\n  - hostname: a.acme.com\n    metadata: &m\n      x: *m\n',
      /:4: \*m refers to a value that contains it/,
    ],
    [BOMB, /:7: .*resource exhaustion/],
    ['account:\n  plan: huge\n', /:2: account\.plan: must be one of .*, scale,/],
    ['domains:\n\n  - status: active\n', /:3: domains\[0\]\.hostname: /],
    ['app: { name: a\n', /:\d: /],
    ['app:\n  origin_url: ftp://x\n', /:2: app\.origin_url: /],
    ['app:\n  webhook_url: http://example.com\n', /:2: app\.webhook_url: /],
    [
      'domains:\n  - hostname: a.acme.com\n    app: Other\n',
      /:3: domains\[0\]\.app: there is no app "Other"/,
    ],
    ['domains:\n  - hostname: co.uk\n', /:2: domains\[0\]\.hostname: .*public suffix/],
    ['domains:\n  - hostname: a.acme.com\n    status_reason: dns_proxied\n', /:3: .*needs a status/],
    [
      'domains:\n  - hostname: a.acme.com\n    origin_headers: { Host: x }\n',
      /:3: domains\[0\]\.origin_headers/,
    ],
    [
      'events:\n  - { hostname: a.acme.com, type: domain.active }\n',
      /:2: events\[0\]\.hostname: .*not in domains/,
    ],
    [
      'domains: [{ hostname: a.acme.com }]\nevents:\n  - hostname: a.acme.com\n    type: domain.active\n    delivery: failed\n    attempts: 3\n',
      /:6: events\[0\]\.attempts: must be 8/,
    ],
    [
      'domains: [{ hostname: a.acme.com }]\nevents:\n  - hostname: a.acme.com\n    type: domain.active\n    delivery: pending\n',
      /:5: events\[0\]\.delivery: needs the webhook_url/,
    ],
    ['apps: [{ name: A }, { name: A }]\n', /:1: apps\[1\]\.name: is already the name of another entry/],
  ])('the error for the seed %j names the line and the mistake', async (text, message) => {
    writeFileSync(file, text);
    await expect(startEmulator({ seed: file })).rejects.toThrow(message);
  });

  test('the error for a seed in JSON names the line too, even if the file contains tabs', async () => {
    const json = path.join(folder, 'seed.json');
    writeFileSync(json, '{\n\t"domains": [\n\t\t{"hostname": "a.acme.com", "mode": "dead"}\n\t]\n}\n');
    await expect(startEmulator({ seed: json })).rejects.toThrow(/seed\.json:3: domains\[0\]\.mode: /);
  });

  test('the error for a missing seed file names the file', async () => {
    await expect(startEmulator({ seed: file })).rejects.toThrow(/seed\.yaml cannot be read: .*ENOENT/);
  });
});
