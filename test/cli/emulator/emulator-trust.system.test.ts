import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TrustSystem } from '../../../cli/emulator/trust-systems.ts';
import { createLocalCa } from '../../../emulator/edge/local-ca.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../../emulator/running/emulator-under-test.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { runCli } from '../run-cli.ts';

const HOST = 'careers.acme.com.localhost';

interface Trust {
  name: string;
  file: string | null;
  valid_until: string;
  certificate: string;
  systems: TrustSystem[];
}

async function trust(env: Record<string, string>): Promise<Trust> {
  const { exit, stdout, stderr } = await runCli(['emulator', 'trust', '--json'], { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('without an emulator, emulator trust shows the certificate authority that the next emulator will use', async () => {
  const env = emptyHome();
  const first = await trust(env);
  const { subject, validToDate } = new X509Certificate(first.certificate);
  expect(`CN=${first.name}`).toBe(subject);
  expect(first.valid_until).toBe(validToDate.toISOString());
  expect(first.file).toBe(path.join(env.NAMEPLATE_STATE_DIR ?? '', 'emulator-ca.pem'));
  expect(readFileSync(first.file ?? '', 'utf8')).toBe(first.certificate);
  expect(await trust(env)).toEqual(first);

  const text = await runCli(['emulator', 'trust'], { env });
  expect(text.stdout).toContain('Nothing was installed.');
  for (const { trust: commands, untrust } of first.systems) {
    for (const command of [...commands, ...untrust]) expect(text.stdout).toContain(command);
  }
  expect((await runCli(['emulator', 'trust', '--pem'], { env })).stdout).toBe(first.certificate);
});

test('emulator trust shows the in-memory certificate authority of the running emulator, and writes no file', async () => {
  await using underTest = await emulatorUnderTest();
  const { url, ca } = underTest.emulator;
  const env: Record<string, string> = { ...emptyHome(), NAMEPLATE_BASE_URL: url };
  expect(await trust(env)).toMatchObject({ certificate: ca, file: null });
  const { stdout } = await runCli(['emulator', 'trust'], { env });
  expect(stdout).toContain('nameplate emulator trust --pem > nameplate-emulator-ca.pem');
  expect(readdirSync(env['NAMEPLATE_STATE_DIR'] ?? '')).toEqual([]);
});

test("the curl command of emulator trust has the edge's port", async () => {
  const curl = (shown: Trust) => shown.systems.find(({ name }) => name.startsWith('curl'))?.trust[0];
  expect(curl(await trust(emptyHome()))).toContain(`https://${HOST}:4401/`);
  await using underTest = await emulatorUnderTest();
  const { url, edgeUrl } = underTest.emulator;
  const shown = await trust({ ...emptyHome(), NAMEPLATE_BASE_URL: url });
  expect(curl(shown)).toContain(`https://${HOST}:${new URL(edgeUrl).port}/`);
});

test('text around the certificate in a response cannot control the terminal of emulator trust', async () => {
  const { certificate } = createLocalCa(null, systemClock);
  const answers = (given: unknown) => ({
    'GET /_emulator/ca': { body: { certificate: given, file: null, edge_url: 'x:\u001b[2J' } },
  });
  const pem = async (given: unknown) => {
    await using api = await startFakeApi(answers(given));
    return await runCli(['emulator', 'trust', '--pem'], { env: { NAMEPLATE_BASE_URL: api.url } });
  };
  expect(await pem(`\u001b]0;owned\u0007\n${certificate}\u001b[2J`)).toMatchObject({
    exit: 0,
    stdout: certificate,
  });
  for (const none of ['\u001b[2J', null, { a: 1 }]) {
    const { exit, stdout, stderr } = await pem(none);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('did not return a certificate');
    expect(stderr).not.toContain('\u001b[2J');
  }
});

test('the error of emulator trust for an unusable file of the certificate authority names the path', async () => {
  const env: Record<string, string> = emptyHome();
  const file = path.join(env['NAMEPLATE_STATE_DIR'] ?? '', 'emulator-ca.key');
  mkdirSync(file);
  const { exit, stderr } = await runCli(['emulator', 'trust'], { env });
  expect(exit).toBe(1);
  expect(stderr).toContain(`${file} cannot be used`);
  expect(stderr).toContain('Remove the file');
});

test("an emulator creates the files of its certificate authority on first use, in the user's state folder", async () => {
  const env = emptyHome();
  const start = ['emulator', 'start', '--port', '0', '--edge-port', '0', '--file', 'state.db', '--json'];
  await using emulator = startBin(start, env);
  await emulator.untilStdout(/\n\}\n/);
  const file = path.join(env.NAMEPLATE_STATE_DIR ?? '', 'emulator-ca.pem');
  expect(existsSync(file)).toBe(false);
  const shown = await runBin(['emulator', 'trust', '--json'], env);
  expect(JSON.parse(shown.stdout)).toMatchObject({ file, certificate: readFileSync(file, 'utf8') });
});

test('emulator exec passes the certificate authority to its command in NAMEPLATE_EDGE_CA, and leaves no file behind', async () => {
  const env = emptyHome();
  const script = `
    const { port } = new URL(process.env.NAMEPLATE_EDGE_URL);
    const ca = process.env.NAMEPLATE_EDGE_CA;
    const to = { port, host: '127.0.0.1', servername: 'localhost', headers: { host: 'localhost' }, ca, agent: false };
    require('node:https').get(to, (answer) => console.log(answer.resume().statusCode));`;
  const ran = await runBin(['emulator', 'exec', '--', process.execPath, '-e', script], env);
  expect(ran).toMatchObject({ exit: 0, stdout: '404\n' });
  expect(readdirSync(env.NAMEPLATE_STATE_DIR ?? '').filter((name) => name.startsWith('emulator'))).toEqual(
    [],
  );
});

const MISSING = whyMissing({
  packages: ['libnss3-tools', 'curl', 'python3'],
  programs: ['/usr/bin/certutil', '/usr/bin/curl', '/usr/bin/python3'],
});

describeUnlessMissing(
  MISSING,
  'the commands that emulator trust prints make programs trust the emulator',
  () => {
    let env: Record<string, string>;
    let underTest: EmulatorUnderTest;
    let shown: Trust;
    let url: string;

    beforeEach(async () => {
      env = emptyHome();
      underTest = await emulatorUnderTest({ caFolder: env['NAMEPLATE_STATE_DIR'] ?? '' });
      await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
      await underTest.control('POST /clock/advance', { until: 'idle' });
      shown = await trust(env);
      url = `https://${HOST}:${new URL(underTest.emulator.edgeUrl).port}/`;
    });
    afterEach(() => underTest[Symbol.asyncDispose]());

    const commandsOf = (name: string) => {
      const found = shown.systems.find((system) => system.name.startsWith(name));
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    };
    const shell = async (...lines: string[]) => {
      const options = { env: { PATH: process.env['PATH'] ?? '', ...env } };
      return (await promisify(execFile)('sh', ['-euc', lines.join('\n')], options)).stdout;
    };
    const nssNames = () => shell('certutil -L -d sql:"$HOME"/.pki/nssdb');

    test('curl opens the page with the printed command', async () => {
      const [command = ''] = commandsOf('curl').trust;
      expect(await shell(command.replace(/https:.*/, `-s -o /dev/null -w '%{http_code}' ${url}`))).toBe(
        '200',
      );
    });

    test('Node opens the page after the commands, and no longer after the commands that undo them', async () => {
      // Connects to 127.0.0.1, because not every system resolves names below `localhost`.
      const program = `node -e "
      const { port } = new URL('${url}');
      const to = { host: '127.0.0.1', port, servername: '${HOST}', headers: { host: '${HOST}' }, agent: false };
      require('node:https')
        .get(to, (answer) => console.log(answer.resume().statusCode))
        .on('error', ({ code }) => console.log(code))"`;
      const { trust: on, untrust: off } = commandsOf('Node');
      expect(await shell(...on, program)).toBe('200\n');
      expect(await shell(...on, ...off, program)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE\n');
    });

    test('Python opens the page after the commands, and no longer after the commands that undo them', async () => {
      const program = `/usr/bin/python3 -c "
import socket, ssl
plain = socket.create_connection(('127.0.0.1', ${new URL(url).port}))
try:
    print(ssl.create_default_context().wrap_socket(plain, server_hostname='${HOST}').version())
except ssl.SSLCertVerificationError as error:
    print(error.reason)"`;
      const { trust: on, untrust: off } = commandsOf('Python');
      expect(await shell(...on, program)).toBe('TLSv1.3\n');
      expect(await shell(...on, ...off, program)).toBe('CERTIFICATE_VERIFY_FAILED\n');
    });

    test('Chromium opens the page after the commands, but not before', async ({ skip }) => {
      const open = async () => {
        const browser = await launchChromium({ ...process.env, HOME: env['HOME'] ?? '' });
        if (browser === null) return skip(NO_CHROMIUM);
        try {
          const page = await browser.newPage();
          const answer = await page.goto(url);
          return { status: answer?.status(), text: await page.content() };
        } finally {
          await browser.close();
        }
      };
      await expect(open()).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
      const { trust: on, untrust: off } = commandsOf('Chrome');
      await shell(...on);
      expect(await open()).toMatchObject({ status: 200, text: expect.stringContaining('careers.acme.com') });
      await shell(...off);
      expect(await nssNames()).not.toContain(shown.name);
    });

    test('Firefox trusts the authority in each profile until the commands are undone', async () => {
      const list = 'for profile in ~/.mozilla/firefox/*; do certutil -L -d sql:"$profile"; done';
      const { trust: on, untrust: off } = commandsOf('Firefox');
      await shell('mkdir -p ~/.mozilla/firefox/a1.default ~/.mozilla/firefox/b2.default-release', ...on);
      expect((await shell(list)).split(shown.name)).toHaveLength(3);
      await shell(...off);
      expect(await shell(list)).not.toContain(shown.name);
    });
  },
);
