import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLocalCa } from '../../../emulator/edge/local-ca.ts';
import { startEmulator } from '../../../emulator/start.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { T0 } from '../../core/domains/sample-domain.ts';

const MODULE = pathToFileURL(path.resolve(import.meta.dirname, '../../../emulator/edge/local-ca.ts')).href;
/** A clock that is 90 days behind. A CA that was created by this clock has now expired. */
const LONG_AGO = { now: () => Date.now() - 90 * DAY_MS };
const HOST = 'careers.acme.com.localhost';
let folder: string;
let now = T0;
const clock = { now: () => now };

beforeEach(() => {
  now = T0;
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'local-ca-')), 'state');
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const inFolder = (name: string) => path.join(folder, name);

test('the strict check of openssl accepts a certificate of the emulator for its hostname, and only as a server certificate', () => {
  const ca = createLocalCa(folder, { now: () => Date.now() });
  const { chain, private_key, serial } = ca.issue(HOST);
  writeFileSync(inFolder('leaf.pem'), chain);
  const verify = (...args: string[]) =>
    execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-CAfile', ca.file ?? '', ...args, inFolder('leaf.pem')],
      {
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );
  expect(verify('-verify_hostname', HOST, '-purpose', 'sslserver')).toContain('OK');
  expect(() => verify('-verify_hostname', 'careers.acme.com')).toThrow('hostname mismatch');
  expect(() => verify('-purpose', 'smimesign')).toThrow('purpose');
  const leaf = new X509Certificate(chain);
  expect(leaf.subjectAltName).toBe(`DNS:${HOST}`);
  expect(leaf.ca).toBe(false);
  expect(leaf.serialNumber.toLowerCase()).toBe(serial);
  expect(private_key).toContain('BEGIN PRIVATE KEY');
});

test("the emulator's authority and its certificates last at most 90 days, and the authority cannot certify other authorities", () => {
  const ca = createLocalCa(null, clock);
  const shown = execFileSync('openssl', ['x509', '-noout', '-text'], {
    input: ca.certificate,
    encoding: 'utf8',
  });
  expect(shown).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
  expect(shown).toMatch(/Key Usage: critical\s+Certificate Sign\n/);
  expect(shown).toMatch(/Extended Key Usage:\s+TLS Web Server Authentication\n/);
  for (const pem of [ca.certificate, ca.issue(HOST).chain]) {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    expect(validFromDate.getTime()).toBeLessThan(T0);
    expect(validToDate.getTime()).toBe(T0 + 90 * DAY_MS);
  }
});

test('each hostname of the emulator has its own key and certificate', () => {
  const ca = createLocalCa(null, clock);
  const [one, other] = [ca.issue(HOST), ca.issue('jobs.acme.com')];
  expect(one.private_key).not.toBe(other.private_key);
  expect(one.serial).not.toBe(other.serial);
  expect(new X509Certificate(other.chain).checkIssued(new X509Certificate(ca.certificate))).toBe(true);
});

describe("the emulator's authority can be stored in a folder", () => {
  test('the authority is created when needed, with a key that only its owner can read', () => {
    const ca = createLocalCa(folder, clock);
    expect(ca.file).toBe(inFolder('emulator-ca.pem'));
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    expect(ca.certificate).toBe(readFileSync(inFolder('emulator-ca.pem'), 'utf8'));
    expect(readdirSync(folder).sort()).toEqual(['emulator-ca.key', 'emulator-ca.pem']);
    expect(statSync(inFolder('emulator-ca.key')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(inFolder('emulator-ca.pem'), 'utf8')).not.toContain('PRIVATE');
  });

  test('every emulator uses the same authority, and a missing certificate file is created again', () => {
    const { certificate } = createLocalCa(folder, clock);
    rmSync(inFolder('emulator-ca.pem'));
    const again = createLocalCa(folder, clock);
    expect(again.certificate).toBe(certificate);
    expect(readFileSync(again.file ?? '', 'utf8')).toBe(certificate);
    expect(new X509Certificate(again.issue(HOST).chain).checkIssued(new X509Certificate(certificate))).toBe(
      true,
    );
  });

  test('the authority is replaced in its last week, even in a running emulator', () => {
    const ca = createLocalCa(folder, clock);
    const { certificate } = ca;
    now = T0 + 83 * DAY_MS - 1;
    expect(ca.certificate).toBe(certificate);
    now += 1;
    expect(ca.certificate).not.toBe(certificate);
    expect(createLocalCa(folder, clock).certificate).toBe(ca.certificate);
    expect(new X509Certificate(ca.certificate).subject).not.toBe(new X509Certificate(certificate).subject);
  });

  test.each([
    ['none', () => undefined],
    ['an expired authority', (each: string) => createLocalCa(each, LONG_AGO).certificate],
    [
      'a broken one',
      (each: string) => {
        mkdirSync(each, { recursive: true });
        writeFileSync(path.join(each, 'emulator-ca.key'), 'x');
      },
    ],
    [
      'the lock of a process that was killed',
      (each: string) => {
        const holder = path.join(each, 'emulator-ca.key.lock', 'killed');
        mkdirSync(path.dirname(holder), { recursive: true });
        writeFileSync(holder, '');
        const longAgo = new Date(Date.now() - MINUTE_MS);
        utimesSync(holder, longAgo, longAgo);
      },
    ],
  ])(
    'if several processes find %s at the same time, all use the authority that was created first',
    async (_, prepare) => {
      const folders = Array.from({ length: 20 }, (__, index) => path.join(folder, String(index)));
      for (const each of folders) prepare(each);
      const script = `
      const { createLocalCa } = await import(${JSON.stringify(MODULE)});
      process.stdin.once('data', () => {
        const folders = ${JSON.stringify(folders)};
        console.log(JSON.stringify(folders.map((folder) => createLocalCa(folder, Date).certificate)));
        process.exit();
      });
      console.log('ready');`;
      const children = Array.from({ length: 4 }, () =>
        spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      );
      await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
      const said = children.map(({ stdout }) => text(stdout));
      for (const { stdin } of children) stdin.write('now');
      const kept = folders.map((each) => createLocalCa(each, Date).certificate);
      for (const certificates of await Promise.all(said)) expect(JSON.parse(certificates)).toEqual(kept);
      for (const each of folders) {
        expect(readFileSync(path.join(each, 'emulator-ca.pem'), 'utf8')).toBe(kept.shift());
        expect(readdirSync(each)).toHaveLength(2);
      }
    },
  );

  test('the authority is created even if a process was killed with the lock during an earlier attempt', () => {
    mkdirSync(inFolder('emulator-ca.key.lock'), { recursive: true });
    writeFileSync(inFolder('emulator-ca.key.lock/killed'), '');
    const clockLater = { now: () => Date.now() + MINUTE_MS };
    expect(createLocalCa(folder, clockLater).certificate).toContain('BEGIN CERTIFICATE');
    expect(readdirSync(folder).sort()).toEqual(['emulator-ca.key', 'emulator-ca.pem']);
  });

  test.each([
    ['nothing', ''],
    ['no key', 'x'],
    ['the certificate of another key', null],
  ])('the authority is replaced if its key file has %s', (_, content) => {
    const ca = createLocalCa(folder, clock);
    const { certificate } = ca;
    const key = readFileSync(inFolder('emulator-ca.key'), 'utf8').slice(0, -certificate.length);
    writeFileSync(inFolder('emulator-ca.key'), content ?? key + createLocalCa(null, clock).certificate);
    const next = createLocalCa(folder, clock);
    expect(next.certificate).not.toBe(certificate);
    expect(createLocalCa(folder, clock).certificate).toBe(next.certificate);
  });

  test('the error names the folder if it cannot be used, for example because it is a file', () => {
    writeFileSync(path.join(path.dirname(folder), 'file'), '');
    const ca = createLocalCa(path.join(path.dirname(folder), 'file'), clock);
    expect(() => ca.certificate).toThrow(/file.* cannot be used: .*(ENOTDIR|EEXIST)/);
  });

  test.each(['emulator-ca.key', 'emulator-ca.pem'])(
    'the error names %s if it is a folder instead of a file',
    (name) => {
      mkdirSync(inFolder(name), { recursive: true });
      const ca = createLocalCa(folder, clock);
      expect(() => ca.certificate).toThrow(`${inFolder(name)} cannot be used: EISDIR`);
    },
  );
});

describe('an emulator creates its authority when needed', () => {
  test('the authority is created when it is first requested, not when the emulator starts', async () => {
    await using emulator = await startEmulator({ caFolder: folder });
    await fetch(emulator.edgeUrl);
    await fetch(`${emulator.url}/_emulator/status`);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    const answer = await fetch(`${emulator.url}/_emulator/ca`);
    expect(await answer.json()).toEqual({
      certificate: emulator.ca,
      file: inFolder('emulator-ca.pem'),
      edge_url: emulator.edgeUrl,
    });
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('an emulator without a folder has an authority of its own in memory', async () => {
    await using emulator = await startEmulator();
    await using other = await startEmulator();
    const answer = await fetch(`${emulator.url}/_emulator/ca.pem`);
    expect(answer.headers.get('content-type')).toBe('application/pem-certificate-chain');
    expect(await answer.text()).toBe(emulator.ca);
    expect((await (await fetch(`${emulator.url}/_emulator/ca`)).json()) as object).toMatchObject({
      file: null,
    });
    expect(other.ca).not.toBe(emulator.ca);
  });

  test('if a file prevents an authority, the error names the file', async () => {
    mkdirSync(inFolder('emulator-ca.key'), { recursive: true });
    await using emulator = await startEmulator({ caFolder: folder });
    for (const call of ['ca', 'ca.pem']) {
      const answer = await fetch(`${emulator.url}/_emulator/${call}`);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'ca_unusable',
          message: expect.stringContaining(`${inFolder('emulator-ca.key')} cannot be used`),
          fix: expect.stringContaining('Remove the file'),
        },
      });
    }
  });

  test('pages of another origin cannot read the authority', async () => {
    await using emulator = await startEmulator();
    const answer = await fetch(`${emulator.url}/_emulator/ca.pem`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
  });
});
