import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../conformance/receiver.ts';
import { type BinProcess, emptyHome, runBin, startBin } from '../bin-process.ts';
import { emptyFolder } from '../run-cli.ts';
import { expectClean } from './expect-clean.ts';
import { describeTerminal, openTerminal, type Terminal } from './terminal.ts';

const LIVE = /● connected/;
/** Matches escape sequences that set colours (Select Graphic Rendition). */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`);

describeTerminal('the event view works in a terminal', () => {
  const env = emptyHome();
  let receiver: Receiver;
  let emulator: BinProcess;

  beforeAll(async () => {
    receiver = await startReceiver(({ raw }) => (raw.includes('jobs.acme.com') ? 500 : 200));
    emulator = startBin(
      ['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'frozen', '--webhook', receiver.url],
      env,
    );
    await emulator.untilStdout(/ready at/);
    for (const host of ['careers.acme.com', 'jobs.acme.com', 'talent.globex.com']) {
      expect((await runBin(['domains', 'add', host], env)).exit).toBe(0);
    }
    expect((await runBin(['emulator', 'clock', 'advance', '30s'], env)).exit).toBe(0);
  });

  afterAll(async () => {
    await emulator[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  async function openView(
    columns?: number,
    rows?: number,
    extra: Record<string, string> = {},
  ): Promise<Terminal> {
    const terminal = openTerminal({ ...env, ...extra }, columns, rows);
    terminal.nameplate('events', 'tail');
    await terminal.until(LIVE);
    await terminal.until(/▌/);
    return terminal;
  }

  test('shows events with their deliveries, and new events as they happen', async () => {
    using terminal = await openView();
    const screen = await terminal.until(/talent\.globex\.com/);
    expect(screen).toMatch(/^│[┆▌] [✓↻◌✗·]/m);
    expect(screen).toMatch(/↻ .* jobs\.acme\.com +\+ 500 · in \d+ s/);
    expect(screen).toMatch(/◌ .* jobs\.acme\.com +◐ waits/);
    expect(screen).toMatch(/ 9 events .*following/);
    expect((await runBin(['domains', 'add', 'new.acme.com'], env)).exit).toBe(0);
    await terminal.until(/▌.*new\.acme\.com +\+/);
    terminal.press('q');
    await expectClean(terminal, 0);
  });

  test('every key does what the help says', async () => {
    using terminal = await openView();
    terminal.press('g');
    await terminal.until(/row 1, not following/);
    terminal.press('Down');
    await terminal.until(/row 2,/);
    terminal.press('j');
    await terminal.until(/row 3,/);
    terminal.press('Up');
    await terminal.until(/row 2,/);
    terminal.press('k');
    await terminal.until(/row 1,/);
    terminal.press('PPage', 'NPage', 'G');
    await terminal.until(/─ following/);
    terminal.press('Space');
    await terminal.until(/not following/);
    terminal.press('Space');
    await terminal.until(/─ following/);

    terminal.press('/');
    terminal.type('host:jobs');
    await terminal.until(/3 of \d+ loaded events {3}\/host:jobs/);
    terminal.press('Enter');
    terminal.press('g');
    await terminal.until(/row 1,/);

    terminal.press('Enter');
    const detail = await terminal.until(/Response to attempts? /);
    expect(detail).toMatch(/domain\.created ─[\s\S]*host +jobs\.acme\.com/);
    expect(detail).toMatch(/^│1 +500 /m);
    terminal.press('NPage');
    await terminal.until(/Service-Signature: t=[\s\S]*A receiver with this secret accepts it\./);
    terminal.press('G');
    await terminal.until(/"previous_status"/);
    terminal.press('Escape');
    await terminal.until(/▌ ↻/);

    terminal.press('r');
    await terminal.until(/✗ .* 500 in \d+ ms/);
    await terminal.until(/Redelivered evt_\S+: 500/);
    terminal.press('y');
    await terminal.until(/Copied evt_/);
    expect(terminal.clipboard()).toMatch(/^evt_[0-9a-z]{26}$/);
    terminal.press('c');
    await terminal.until(/curl 'http:\/\/127\.0\.0\.1:\d+/);
    expect(terminal.clipboard()).toContain("-H 'Service-Signature: t=");
    terminal.press('Escape');
    await terminal.until(/HOST/);
    terminal.press('o');
    await terminal.until(/http:\/\/127\.0\.0\.1:\d+\/connect\//);

    terminal.press('R');
    await terminal.until(/Redeliver 3 events, at once\?/);
    terminal.press('Escape');
    terminal.press('R');
    terminal.press('Enter');
    await terminal.until(/Redelivered 3 events, 0 got a 2xx/);
    terminal.press('Escape');
    await terminal.until(/ 1?\d events {3}/);

    terminal.press('f');
    await terminal.until(/failed only/);
    terminal.press('f');
    terminal.press('?', 'G');
    await terminal.until(/take the domain through a transition/);
    terminal.press('Escape');
    await terminal.until(/HOST/);

    terminal.press('/');
    terminal.type('host:talent');
    terminal.press('Enter');
    terminal.press('G');
    await terminal.until(/3 of/);
    terminal.press('t');
    await terminal.until(/Trigger for talent\.globex\.com: \[/);
    for (let n = 0; n < 9 && !terminal.screen().join('\n').includes('[hold]'); n++) {
      terminal.press('Right');
      await delay(50);
    }
    terminal.press('Enter');
    await terminal.until(/talent\.globex\.com +‖/);
    terminal.press('.');
    await terminal.until(/The clock is at .*\. Did \d+ steps?/);
    terminal.press('q');
    await terminal.until(/Redelivered 3 events: 0 got a 2xx/);
    await expectClean(terminal, 0);
  });

  test('shows the domains with their statuses as they change, their records, and a diagnosis', async () => {
    using terminal = await openView();
    terminal.press('Tab');
    await terminal.until(/careers\.acme\.com +✓ Active/);
    expect((await runBin(['domains', 'add', 'caa-forbids.acme.com'], env)).exit).toBe(0);
    await terminal.until(/caa-forbids\.acme\.com +(?:◌ Waiting for DNS|… Confirming DNS)/);
    expect((await runBin(['emulator', 'clock', 'advance', '20s'], env)).exit).toBe(0);
    await terminal.until(/caa-forbids\.acme\.com +✗ No certificate +\S/);
    terminal.press('/');
    terminal.type('caa');
    terminal.press('Enter');
    await terminal.until(/1 domain {3}\/caa/);
    terminal.press('Enter');
    await terminal.until(/CNAME +caa-forbids +\S+/);
    terminal.press('G', 'd');
    await terminal.until(/Diagnosis[ │]*\n.*✗ caa-forbids\.acme\.com: 1 problem to fix/);
    terminal.press('Escape');
    await terminal.until(/REASON/);
    terminal.press('e');
    await terminal.until(/loaded events {3}\/host:caa-forbids\.acme\.com/);
    terminal.press('q');
    await expectClean(terminal, 0);
  });

  test('leaves the terminal clean after a crash, and prints the error', async () => {
    const crash = "process.on('SIGUSR2', () => { throw new Error('a bug in the view') })";
    const option = `--import=data:text/javascript,${encodeURIComponent(crash)}`;
    using terminal = await openView(80, 24, { NODE_OPTIONS: option });
    terminal.press('g');
    await terminal.until(/row 1, not following/);
    process.kill(terminal.pid() ?? 0, 'SIGUSR2');
    await terminal.until(/a bug in the view/);
    await expectClean(terminal, 1);
  });

  test('fits the terminal when it shrinks to 40x10 and grows again', async () => {
    using terminal = await openView(80, 24);
    terminal.resize(40, 10);
    await terminal.until(/^ events/m);
    const small = await terminal.until(/▌.*\d/);
    expect(small.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(9);
    expect(small).not.toContain('HOST');
    terminal.resize(200, 50);
    const large = await terminal.until(/CHANGE/);
    expect(large).toContain('Certificate failed');
    expect(large.match(/● connected/g)).toHaveLength(1);
    terminal.resize(80, 24);
    await terminal.until(/DELIVERY/);
    const again = await terminal.until(/↵ detail {2}\/ filter/);
    expect(again.match(/● connected/g)).toHaveLength(1);
    terminal.press('q');
    await expectClean(terminal, 0);
  });

  test('treats a paste as text for the filter, not as keys', async () => {
    using terminal = await openView();
    terminal.paste('qrR\nq');
    terminal.press('/');
    await terminal.until(/^ \//m);
    terminal.paste('host:jobs\n');
    await terminal.until(/of \d+ loaded events {3}\/host:jobs/);
    expect(terminal.screen().join('\n')).not.toContain('redeliver');
    terminal.press('C-c');
    await expectClean(terminal, 130);
  });

  test.each([0, 40, 80, 120, 180, 260, 400, 800])(
    'leaves the terminal clean after Ctrl-C %i ms after the start',
    async (waitMs) => {
      using terminal = openTerminal(env);
      terminal.type('clear');
      terminal.press('Enter');
      await terminal.until(/^[$#] ?\n/);
      terminal.nameplate('events', 'tail');
      // Waits until the command runs. Before that, Ctrl-C would only make the shell discard the command line.
      await expect.poll(() => terminal.pid(), { interval: 5 }).not.toBeNull();
      await delay(waitMs);
      terminal.press('C-c');
      await expectClean(terminal, 130);
    },
  );

  test.each([
    ['the filter', ['/', 'a'], /^ \/a/m],
    ['a detail', ['g', 'Enter'], /Attempts/],
    ['the keys', ['?'], /Keys ─/],
    ['a question', ['R'], /Enter redeliver {2}Esc cancel/],
  ])('leaves the terminal clean after Ctrl-C in %s', async (_, keys, shown) => {
    using terminal = await openView();
    for (const key of keys) terminal.press(key);
    await terminal.until(shown);
    terminal.press('C-c');
    await expectClean(terminal, 130);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s leaves the terminal clean', async (signal, exit) => {
    using terminal = await openView();
    process.kill(terminal.pid() ?? 0, signal);
    await expectClean(terminal, exit);
  });

  test('NO_COLOR turns off all colours, and symbols still mark every state', async () => {
    using colored = await openView();
    using plain = await openView(80, 24, { NO_COLOR: '1' });
    expect(colored.colors()).toMatch(SEQUENCE);
    expect(plain.colors()).not.toMatch(SEQUENCE);
    expect(plain.screen().join('\n')).toMatch(/● connected[\s\S]*✓/);
  });

  test('prints the error and exits with 4 if the API refuses the key of the first request', async () => {
    const key = 'sk_test_0123456789abcdefghijklmnopqrstuv';
    using terminal = openTerminal({ ...env, NAMEPLATE_API_KEY: key });
    terminal.nameplate('events', 'tail');
    await terminal.until(/The API key is missing/);
    const screen = await terminal.ended();
    expect(screen).toContain('exit=4\n');
    expect(screen).toContain('The API key is missing, invalid or revoked.');
    expect(screen).not.toContain(key);
    expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
  });

  test('--failed shows a failed event that is older than all events that the view follows', async () => {
    const seed = path.join(emptyFolder(), 'seed.json');
    const hostnames = ['old.acme.com', ...Array.from({ length: 110 }, (_, n) => `new-${n}.acme.com`)];
    const domains = hostnames.map((hostname) => ({ hostname }));
    const events = hostnames.map((hostname, n) => {
      return { hostname, type: 'domain.created', ...(n === 0 && { delivery: 'failed' }) };
    });
    writeFileSync(seed, JSON.stringify({ domains, events }));
    const own = emptyHome();
    await using seeded = startBin(['emulator', 'start', '--port', '0', '--ephemeral', '--seed', seed], own);
    await seeded.untilStdout(/ready at/);
    using terminal = openTerminal(own);
    terminal.nameplate('events', 'tail', '--failed');
    await terminal.until(/✗ .*old\.acme\.com/);
    terminal.press('q');
    await expectClean(terminal, 0);
  });
});
