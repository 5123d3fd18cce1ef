import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHELL_SCRIPTS } from '../../../cli/complete/shell-scripts.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { BIN, emptyHome } from '../bin-process.ts';
import { openTerminal, type Terminal } from '../events/terminal.ts';
import { type FakeApi, startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';

/** How to start each shell without the user's own configuration, and how the shell loads the completion script. */
const SHELLS = {
  bash: ['bash --noprofile --norc', 'eval "$(nameplate completion bash)"'],
  zsh: ['zsh -f', 'autoload -Uz compinit && compinit -u -D && eval "$(nameplate completion zsh)"'],
  // fish's own suggestions are off, because on the screen they would look like completions.
  fish: [
    'fish --no-config',
    'set -g fish_autosuggestion_enabled 0; nameplate completion fish >c.fish; source c.fish',
  ],
} as const;

/** The guide's shell function for users who run Nameplate with npx because `nameplate` is not on their `PATH`. */
const BY_NPX = {
  bash: 'nameplate() { npx nameplate "$@"; }',
  zsh: 'nameplate() { npx nameplate "$@"; }',
  fish: 'function nameplate; npx nameplate $argv; end',
} as const;

const missing = whyMissing({
  packages: ['tmux', 'zsh', 'fish'],
  programs: ['/usr/bin/tmux', '/usr/bin/zsh', '/usr/bin/fish'],
});

describeUnlessMissing(missing, 'completion works in real shells', () => {
  const programs = emptyFolder();
  const npxOnly = emptyFolder();
  let api: FakeApi;
  beforeAll(async () => {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
    writeFileSync(path.join(programs, 'nameplate'), script, { mode: 0o755 });
    const npx = `#!/bin/sh\n[ "$1" = nameplate ] && shift && exec '${process.execPath}' '${BIN}' "$@"\n`;
    writeFileSync(path.join(npxOnly, 'npx'), npx, { mode: 0o755 });
    api = await startFakeApi({
      'GET /v1/domains': page(domainOf(), domainOf({ hostname: 'jobs.acme.com' })),
    });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  async function openShell(
    shell: keyof typeof SHELLS,
    { on_path = programs, first = 'true' } = {},
  ): Promise<Terminal> {
    const folder = emptyFolder();
    mkdirSync(path.join(folder, 'bodies'));
    writeFileSync(path.join(folder, 'bodies/one.json'), '{}');
    const terminal = openTerminal({ ...emptyHome(), ...keyFor(api.url) }, 100, 30);
    const [start, load] = SHELLS[shell];
    enter(terminal, `cd '${folder}'; export PATH='${on_path}':"$PATH"; exec ${start}`);
    enter(terminal, first);
    enter(terminal, `${load}; echo load''ed`);
    await terminal.until(/^loaded$/m);
    return terminal;
  }

  function enter(terminal: Terminal, line: string): void {
    terminal.type(line);
    terminal.press('Enter');
  }

  /** Types words on an empty screen, presses Tab, and expects the completed line. */
  async function expectTab(terminal: Terminal, typed: string, completed: RegExp): Promise<void> {
    terminal.press('C-u', 'C-l');
    await terminal.until(/^(?![\s\S]*(nameplate|loaded))/);
    terminal.type(typed);
    terminal.press('Tab');
    await terminal.until(completed);
  }

  test.each(['bash', 'zsh', 'fish'] as const)(
    '%s completes words of every kind when Tab is pressed',
    async (shell) => {
      using terminal = await openShell(shell);
      await expectTab(terminal, 'nameplate dom', /nameplate domains( |$)/m);
      await expectTab(terminal, 'nameplate domains g', /nameplate domains get( |$)/m);
      await expectTab(terminal, 'nameplate domains list --st', /list --status( |$)/m);
      await expectTab(terminal, 'nameplate domains list --status is', /--status issuing( |$)/m);
      await expectTab(terminal, 'nameplate domains list --status=is', /--status=issuing( |$)/m);
      await expectTab(terminal, 'nameplate domains get ca', /get careers\.acme\.com( |$)/m);
      await expectTab(
        terminal,
        'nameplate domains wait jobs.acme.com ',
        /jobs\.acme\.com careers\.acme\.com/,
      );
      await expectTab(terminal, 'nameplate emulator trigger jobs.acme.com dns_g', /\.com dns_gone( |$)/m);
      await expectTab(terminal, 'nameplate webhooks verify --body bod', /--body bodies\/$/m);
      await expectTab(terminal, 'nameplate webhooks verify --body bodies/', /bodies\/one\.json( |$)/m);
    },
  );

  test.each([
    ['bash', /^add +diagnose +import +open +traffic +verify/m],
    ['zsh', /^get {2}-- Show a domain/m],
    ['fish', /get +\(Show a domain\)/],
  ] as const)('%s lists the commands that can come next', async (shell, listed) => {
    using terminal = await openShell(shell);
    terminal.type('nameplate domains ');
    terminal.press('Tab', 'Tab');
    expect(await terminal.until(listed)).not.toContain('bodies');
  });

  test.each(['bash', 'zsh', 'fish'] as const)(
    '%s completes the words of a shell function that runs npx',
    async (shell) => {
      using terminal = await openShell(shell, { on_path: npxOnly, first: BY_NPX[shell] });
      await expectTab(terminal, 'nameplate domains g', /nameplate domains get( |$)/m);
      await expectTab(terminal, 'nameplate domains get ca', /get careers\.acme\.com( |$)/m);
    },
  );

  test('the guide has the text of the shell function that runs npx', () => {
    const guide = readFileSync(path.join(import.meta.dirname, '../../../shared/docs/cli.md'), 'utf8');
    for (const line of Object.values(BY_NPX)) expect(guide).toContain(line);
  });

  test('zsh also loads the script from a folder of functions', async () => {
    using terminal = openTerminal({ ...emptyHome(), ...keyFor(api.url) }, 100, 30);
    writeFileSync(path.join(programs, '_nameplate'), SHELL_SCRIPTS.zsh);
    enter(terminal, `export PATH='${programs}':"$PATH"; exec zsh -f`);
    enter(terminal, `fpath=('${programs}' $fpath); autoload -Uz compinit && compinit -u -D; echo load''ed`);
    await terminal.until(/^loaded$/m);
    await expectTab(terminal, 'nameplate domains g', /nameplate domains get( |$)/m);
    await expectTab(terminal, 'nameplate domains li', /nameplate domains list( |$)/m);
  });
});
