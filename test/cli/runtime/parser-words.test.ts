import { describe, expect, test } from 'vitest';
import { COMMANDS, TOPICS } from '../../../cli/commands.ts';
import { runCommandLine } from '../../../cli/main.ts';
import { BaseCommand, type CommandClass } from '../../../cli/runtime/base-command.ts';
import { describeError } from '../../../cli/runtime/error-presenter.ts';
import { runCli } from '../run-cli.ts';

/** Words from the messages of oclif's parser and of zod, which the CLI must never print. */
const LIBRARY_WORDS =
  /Parsing --|Expected|expects|[Nn]onexistent|Unexpected arg|required arg|received|See more help|The following error|must be provided|also be provided|Too (big|small)|Invalid (input|option)|oclif/;

describe.each(Object.keys(COMMANDS))('the command %s reports usage errors clearly', async (id) => {
  const loaded = (await COMMANDS[id]?.load()) as CommandClass;
  // Every command takes the global flags in the same way.
  const flags = { ...(id === 'whoami' && BaseCommand.baseFlags), ...loaded.flags };
  const required = Object.values(loaded.args ?? {}).map(({ options }) => options?.[0] ?? 'x');
  const wrong: string[][] = [
    ['--no-such-flag'],
    ['-Z'],
    [...required, 'surplus', 'words', 'here'],
    ...required.map((_, index) => [...required.slice(0, index), '\u0000', ...required.slice(index + 1)]),
    [],
    ...Object.entries(flags).flatMap(([name, flag]) =>
      flag.type === 'boolean'
        ? [[`--${name}=yes`]]
        : [
            [`--${name}`],
            [`--${name}`, 'a', `--${name}`, 'b'],
            [`--${name}`, '-1'],
            [`--${name}`, '9'.repeat(30)],
          ],
    ),
    // All flags at once, so that every pair of exclusive flags is included.
    Object.entries(flags).flatMap(([name, flag]) =>
      flag.type === 'boolean' ? [`--${name}`] : [`--${name}`, '1'],
    ),
  ];

  const onlyParsed = { [id]: { summary: '', load: async () => parserOf(loaded) } };

  test('the error for a wrong command line contains no words of the parser', async () => {
    for (const argv of wrong) {
      const { stdout, stderr } = await runCli([...id.split(':'), ...argv], {}, (line, world) =>
        runCommandLine(line, world, onlyParsed, TOPICS),
      );
      expect(`${argv.join(' ')}\n${stdout}${stderr}`).not.toMatch(LIBRARY_WORDS);
    }
  });
});

/** Returns a variant of the command that only parses its arguments and flags. */
function parserOf(loaded: CommandClass): CommandClass {
  return class extends loaded {
    async run(): Promise<undefined> {
      await this.parse(loaded);
    }
  };
}

test.each([['--json=true'], ['--yes=no']])(
  '%s is refused, because the flag accepts no value',
  async (flag) => {
    const { exit, stderr } = await runCli(['domains', 'remove', 'a.acme.com', flag]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`${flag.split('=')[0]} takes no value.`);
  },
);

test('an unknown error of the command-line parser is also printed in our own words', () => {
  const error = Object.assign(new Error('Exactly one of the following must be provided: --a, --b'), {
    oclif: {},
  });
  expect(describeError(error)).toMatchObject({
    code: 'usage',
    message: 'The command line is not valid.',
    exit: 2,
  });
});
