import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from '../cli/bin-process.ts';
import { registryFiles } from '../cli/emulator/registered.ts';
import { emptyFolder } from '../cli/run-cli.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { startEmulatorProcess } from './emulator-process.ts';

function isOpen(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s during work ends the emulator with exit code 0, closes its ports, and loses nothing',
  async (signal) => {
    const env = emptyHome();
    const flags = ['--port', '0', '--file', path.join(emptyFolder(), 'state.db')];
    await using receiver = await startReceiver();
    await using emulator = await startEmulatorProcess(
      [...flags, '--clock', 'auto', '--webhook', receiver.url],
      env,
    );
    const adding = Array.from({ length: 30 }, (_, i) =>
      emulator.api('POST /domains', { hostname: `d${i}.acme.com` }).then(
        ({ status }) => status,
        () => null, // The connection was refused because the emulator has closed.
      ),
    );
    await receiver.until(1);
    emulator.bin.child.kill(signal);
    expect(await emulator.bin.ended).toBe(0);
    expect(emulator.bin.stderr()).not.toMatch(/error|warning/);
    for (const url of [emulator.url, emulator.edge_url, emulator.sandbox_origin]) {
      expect(await isOpen(url)).toBe(false);
    }
    expect(registryFiles(env)).toEqual([]);
    const added = (await Promise.all(adding)).filter((status) => status === 201).length;

    await using again = await startEmulatorProcess(flags, env);
    await again.control('POST /clock/advance', { until: 'idle' });
    const { counts } = (await again.control('GET /status')) as unknown as { counts: Record<string, number> };
    expect(counts['domains']).toBeGreaterThanOrEqual(added);
    expect(counts).toMatchObject({ pending_events: 0, events: 3 * Number(counts['domains']) });
  },
);

test('Ctrl-C does not wait for a hanging receiver: the emulator exits with 0, and the next start repeats the attempt', async () => {
  await using receiver = await startReceiver(() => new Promise(() => undefined));
  const env = emptyHome();
  const flags = ['--port', '0', '--file', path.join(emptyFolder(), 'state.db')];
  await using emulator = await startEmulatorProcess([...flags, '--webhook', receiver.url], env);
  await emulator.api('POST /domains', { hostname: 'careers.acme.com' });
  await receiver.until(1);
  emulator.bin.child.kill('SIGINT');
  expect(await emulator.bin.ended).toBe(0);
  expect(emulator.bin.stderr()).not.toMatch(/error|warning/);
  await using again = await startEmulatorProcess(flags, env);
  const [first, second] = await receiver.until(2);
  expect(second?.delivery_id).toBe(first?.delivery_id);
  await again.kill();
});

test('a second emulator on the same file fails with a short error, and the first continues', async () => {
  const file = path.join(emptyFolder(), 'state.db');
  await using emulator = await startEmulatorProcess(['--port', '0', '--file', file], emptyHome());
  const { exit, stderr } = await runBin(['emulator', 'start', '--port', '0', '--file', file], emptyHome());
  expect(exit).toBe(1);
  expect(stderr).toContain('is in use');
  expect(stderr).not.toContain('    at ');
  expect(await emulator.now()).toBeGreaterThan(0);
});

test('emulator exec stops its emulator when its command has ended, however the command ends', async () => {
  const program = `
    console.log(JSON.stringify([process.pid, process.env.NAMEPLATE_BASE_URL, process.env.NAMEPLATE_EDGE_URL]));
    process.argv[1] === 'exit' ? process.exit(3) : setInterval(() => {}, 1000);`;
  for (const [how, code] of [
    ['exit', 3],
    ['wait', 143],
  ] as const) {
    const env = emptyHome();
    await using bin = startBin(
      ['emulator', 'exec', '--clock', 'auto', '--', process.execPath, '-e', program, how],
      env,
    );
    const [line] = await bin.untilStdout(/\[.*\]/);
    const [pid, ...urls] = JSON.parse(line) as [number, string, string];
    if (how === 'wait') bin.child.kill('SIGTERM');
    expect(await bin.ended).toBe(code);
    expect(bin.stderr()).toBe('');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    for (const url of urls) expect(await isOpen(url)).toBe(false);
    expect(registryFiles(env)).toEqual([]);
  }
});
