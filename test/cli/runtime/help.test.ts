import { expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { runCli } from '../run-cli.ts';

test.each(Object.keys(COMMANDS))(
  'the help of %s has a summary, a description, and examples that begin with the command',
  async (id) => {
    const words = id.split(':');
    const loaded = await COMMANDS[id]?.load();
    expect(COMMANDS[id]?.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(loaded?.description).toMatch(/^[A-Z].*\.$/);
    const examples = (loaded?.examples ?? []).map(String);
    expect(examples.length).toBeGreaterThan(0);
    expect(
      examples.filter(
        (example) =>
          example.includes(`nameplate ${words.join(' ')}`) || example.includes(`bin %> ${words.join(' ')}`),
      ),
    ).not.toEqual([]);

    const { exit, stdout, stderr } = await runCli([...words, '--help']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain(`$ nameplate ${words.join(' ')}`);
    expect(stdout).toContain(COMMANDS[id]?.summary);
  },
);

test('without a command, the CLI lists topics and commands', async () => {
  const { exit, stdout } = await runCli([]);
  expect(exit).toBe(0);
  for (const word of ['apps', 'domains', 'emulator', 'events', 'keys', 'profiles', 'login', 'exit-codes']) {
    expect(stdout).toContain(word);
  }
});

test('the help of a topic lists its commands', async () => {
  const { exit, stdout } = await runCli(['domains']);
  expect(exit).toBe(0);
  expect(stdout).toContain('domains wait');
});

test('help accepts the words of a command as arguments', async () => {
  const { stdout } = await runCli(['help', 'emulator', 'clock', 'advance']);
  expect(stdout).toContain('--until=<option>');
});

test('help exits with 2 for an unknown command', async () => {
  expect((await runCli(['help', 'bogus'])).exit).toBe(2);
});

test('--version prints the version of the CLI', async () => {
  expect((await runCli(['--version'])).stdout).toMatch(/^nameplate\/\d+\.\d+\.\d+ /);
  expect(JSON.parse((await runCli(['--version', '--json'])).stdout).version).toMatch(/^\d+\.\d+\.\d+/);
});

test.each([40, 80])(
  'the help of every command fits a terminal of %i columns, and breaks no word',
  async (columns) => {
    const ids = Object.keys(COMMANDS);
    for (const argv of [[], ...ids.map((id) => [...id.split(':'), '--help'])]) {
      const { stdout } = await runCli(argv, { columns });
      // Leaves out examples, which the terminal itself wraps so that they can be copied, and single words, which cannot be broken.
      const lines = stdout.replace(/^EXAMPLES\n(?: .*\n?|\n)*/m, '').split('\n');
      const wide = lines.filter((line) => line.length > columns && !/^ *\S+$/.test(line));
      expect(wide, argv.join(' ')).toEqual([]);
      const words = (text: string) => new Set(text.split(/[\s|]+/));
      const whole = words((await runCli(argv)).stdout);
      expect(
        [...words(stdout)].filter((word) => !whole.has(word)),
        argv.join(' '),
      ).toEqual([]);
    }
  },
);
