import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { BIN } from '../bin-process.ts';
import { emptyFolder } from '../run-cli.ts';

/** A real terminal: a shell in tmux, with a tmux server of its own. */
export interface Terminal extends Disposable {
  /** Types text, without a special meaning of names such as `Enter`. */
  type(text: string): void;
  /** Presses keys by their names in tmux, such as `Enter`, `Up` or `C-c`. */
  press(...keys: string[]): void;
  /** Sends bytes unchanged, as a terminal does for mouse events. */
  bytes(text: string): void;
  /** Pastes text as a terminal does: within the marks of a bracketed paste if the program has turned them on. */
  paste(text: string): void;
  /** Types a `nameplate` command into the shell. */
  nameplate(...argv: string[]): void;
  screen(): string[];
  /** Returns the screen, including the escape sequences for colours. */
  colors(): string;
  /** Resolves once the screen matches the pattern. @throws Error with the screen if the screen does not match in time. */
  until(pattern: RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Returns the text that programs have put on the clipboard. */
  clipboard(): string;
  /** Returns whether the alternate screen, the cursor and mouse reports are on. No view turns on mouse reports. */
  flags(): { alternate: boolean; cursor: boolean; mouse: boolean };
  /** Returns the process id of the program in the foreground; null while the shell is in the foreground, where it would receive Ctrl-C. */
  pid(): number | null;
  /** Waits until the program has ended, and returns the screen. The screen then contains the program's exit code, as in `exit=0`. */
  ended(): Promise<string>;
}

const PROGRAM = '/usr/bin/tmux';
const WAIT_MS = 20_000;
const LOOK_MS = 40;

/** Groups tests that need tmux. If tmux is missing, the tests are skipped with the reason; if `CI` is set, they fail. */
export function describeTerminal(title: string, tests: () => void): void {
  describeUnlessMissing(whyMissing({ packages: ['tmux'], programs: [PROGRAM] }), title, tests);
}

let servers = 0;

export function openTerminal(env: Record<string, string>, columns = 80, rows = 24): Terminal {
  const folder = emptyFolder();
  const socket = `nameplate-${process.pid}-${++servers}`;
  const path = [process.execPath.replace(/\/[^/]+$/, ''), process.env['PATH']].join(':');
  const tmux = (...args: string[]) =>
    execFileSync(PROGRAM, ['-u', '-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...env, PATH: path, LANG: 'C.UTF-8', PS1: '$ ', TMUX_TMPDIR: folder },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '/bin/sh');
  tmux('set', '-s', 'set-clipboard', 'on');
  tmux('set', '-s', 'escape-time', '0');
  tmux('set', '-g', 'status', 'off');
  tmux('resize-window', '-x', String(columns), '-y', String(rows));
  const capture = (...options: string[]) => tmux('capture-pane', '-p', ...options);
  const display = (format: string) => tmux('display-message', '-p', format).trim();

  const terminal: Terminal = {
    type: (text) => void tmux('send-keys', '-l', '--', text),
    bytes: (text) => void tmux('send-keys', '-H', ...[...Buffer.from(text)].map((byte) => byte.toString(16))),
    press: (...keys) => void tmux('send-keys', '--', ...keys),
    paste(text) {
      tmux('set-buffer', '-b', 'pasted', '--', text);
      tmux('paste-buffer', '-p', '-d', '-b', 'pasted');
    },
    nameplate(...argv) {
      terminal.type(`node ${BIN} ${argv.join(' ')}`);
      terminal.press('Enter');
    },
    screen: () => capture().replace(/\n$/, '').split('\n'),
    colors: () => capture('-e'),
    async until(pattern) {
      const endsAt = performance.now() + WAIT_MS;
      for (;;) {
        const screen = capture();
        if (pattern.test(screen)) return screen;
        if (performance.now() > endsAt) throw new Error(`${pattern} is not on the screen:\n${screen}`);
        await delay(LOOK_MS);
      }
    },
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    clipboard: () => tmux('show-buffer'),
    flags() {
      const [alternate, cursor, mouse] = display('#{alternate_on} #{cursor_flag} #{mouse_any_flag}').split(
        ' ',
      );
      return { alternate: alternate === '1', cursor: cursor === '1', mouse: mouse === '1' };
    },
    pid() {
      const columns = ['-o', 'pid=,stat=,comm=', '--ppid', display('#{pane_pid}')];
      const { stdout } = spawnSync('/usr/bin/ps', columns, { encoding: 'utf8' });
      const program = /^ *(\d+) \S*\+ +(?!sh$)/m.exec(stdout);
      return program === null ? null : Number(program[1]);
    },
    async ended() {
      for (const endsAt = performance.now() + WAIT_MS; terminal.pid() !== null; await delay(LOOK_MS)) {
        if (performance.now() > endsAt) throw new Error(`it does not end:\n${capture()}`);
      }
      terminal.type('echo "exit=$?"');
      terminal.press('Enter');
      return terminal.until(/exit=\d+/);
    },
    [Symbol.dispose]() {
      tmux('kill-server');
    },
  };
  return terminal;
}
