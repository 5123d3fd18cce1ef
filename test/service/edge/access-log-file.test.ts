import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLogFile } from '../../../service/edge/access-log/log-file.ts';
import { sendToSyslog } from '../../../service/edge/access-log/syslog-server.ts';
import { accessLogTarget, sampleShare } from '../../../service/settings/access-log-settings.ts';

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'np-access-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function events() {
  const counted = { dropped: 0, failures: [] as unknown[] };
  return {
    counted,
    onDropped: (lines: number) => {
      counted.dropped += lines;
    },
    onFailure: (error: unknown) => counted.failures.push(error),
  };
}

describe('the file of an access log is written completely or refused', () => {
  it('drops and counts the lines beyond its buffer, and writes all other lines whole', async () => {
    const file = path.join(folder(), 'access.log');
    const { counted, ...given } = events();
    const sink = await openLogFile(file, given, 40_000);
    const line = 'x'.repeat(999);
    for (let i = 0; i < 100; i++) sink.write(line);
    await sink.close();
    expect(counted).toEqual({ dropped: 60, failures: [] });
    expect(readFileSync(file, 'utf8')).toBe(`${line}\n`.repeat(40));
  });

  it('drops and counts the lines that come after it was closed', async () => {
    const file = path.join(folder(), 'access.log');
    const { counted, ...given } = events();
    const sink = await openLogFile(file, given);
    await sink.close();
    sink.write('late');
    expect(counted).toEqual({ dropped: 1, failures: [] });
  });

  it.each([
    [
      'whose folder does not exist',
      (at: string) => path.join(at, 'missing', 'access.log'),
      'cannot be written (ENOENT)',
    ],
    ['that is a folder', (at: string) => at, 'cannot be written (EISDIR)'],
    ['that is a device', () => '/dev/null', 'is not a regular file'],
  ])('is refused at the start of the node if it is a file %s', async (_, fileIn, words) => {
    await expect(openLogFile(fileIn(folder()), events())).rejects.toMatchObject({
      code: 'access_log_unwritable',
      message: expect.stringContaining(words),
      fix: expect.stringContaining('NAMEPLATE_ACCESS_LOG'),
    });
  });

  it.skipIf(process.getuid?.() === 0)('is refused if the user may not write to it', async () => {
    const closed = path.join(folder(), 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    await expect(openLogFile(path.join(closed, 'access.log'), events())).rejects.toMatchObject({
      message: expect.stringContaining('EACCES'),
    });
  });
});

describe('a syslog server can receive the access log', () => {
  it('gets each line as a message of RFC 3164', async () => {
    const server = createSocket('udp4');
    onTestFinished(() => void server.close());
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const { counted, ...given } = events();
    const at = new Date(2026, 10, 4, 9, 5, 7).getTime();
    const address = { host: '127.0.0.1', port: server.address().port };
    const sink = await sendToSyslog(address, { now: () => at }, given);
    const received = once(server, 'message');
    sink.write('{"a":1}');
    const [message] = await received;
    expect(String(message)).toBe(`<190>Nov  4 09:05:07 ${os.hostname()} nameplate: {"a":1}`);
    await sink.close();
    expect(counted).toEqual({ dropped: 0, failures: [] });
    sink.write('late');
    expect(counted).toEqual({ dropped: 1, failures: [] });
  });

  it('is refused at the start of the node if its name cannot be looked up', async () => {
    const address = { host: 'syslog.invalid', port: 514 };
    await expect(sendToSyslog(address, { now: () => 0 }, events())).rejects.toMatchObject({
      code: 'access_log_unwritable',
    });
  });
});

describe('the settings of an access log are validated', () => {
  it.each([
    ['/var/log/nameplate/access.log', { kind: 'file', file: '/var/log/nameplate/access.log' }],
    ['syslog://127.0.0.1', { kind: 'syslog', host: '127.0.0.1', port: 514 }],
    ['syslog://[::1]:5514', { kind: 'syslog', host: '::1', port: 5514 }],
    ['syslog://logs.internal:514', { kind: 'syslog', host: 'logs.internal', port: 514 }],
  ])('accept the target %s', (text, target) => {
    expect(accessLogTarget.parse(text)).toEqual(target);
  });

  it.each([
    'access.log',
    '/var/log/a b.log',
    '/var/log/x;}',
    '/var/log/../x',
    '/var/log/',
    'syslog://127.0.0.1:0',
    'syslog://127.0.0.1:70000',
    'syslog://a,b',
    'https://logs.example.net',
  ])('refuse the target %s', (text) => {
    expect(accessLogTarget.safeParse(text).error?.issues[0]?.message).toMatch(/^must be an absolute path/);
  });

  it.each([
    ['1', 1],
    ['0.01', 0.01],
    ['.5', 0.5],
    ['1.0', 1],
  ])('accept the sample %s', (text, share) => {
    expect(sampleShare.parse(text)).toBe(share);
  });

  it.each(['0', '0.0', '1.5', '-1', '10%', 'all'])('refuse the sample %s', (text) => {
    expect(sampleShare.safeParse(text).error?.issues[0]?.message).toMatch(/^must be a number over 0/);
  });
});
