import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * What reaches a command with everything that it has started, and ends them where `emulator exec` was killed and could not: a process of
 * its own, at the other end of a pipe.
 */
export interface Lifeline {
  /** Right after the command has started: this is its process. */
  hold(pid: number): void;
  /** To the command and everything that it has started. */
  send(signal: NodeJS.Signals): void;
  /** The command has ended, or did not start: what it left behind is ended too. */
  release(): Promise<void>;
}

/**
 * A process is the command's where its parent, its group or its session is. On Linux /proc tells, which needs no program; elsewhere `ps`, which
 * knows no sessions; where there is neither, on Windows, there is the command alone. Who was sent a signal is remembered: a parent
 * that ends first does not lose its children. Not for long, and the pipe, which ends with us whatever ends us, is asked at once: an id may
 * be somebody else's later.
 */
const WATCHER = `
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync } = require('node:fs');
let command = 0;
let found = new Set();
let forgetting;

function fromProc(pid) {
  try {
    const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
    const [state, ...kin] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4);
    return state === 'Z' ? [] : [[Number(pid), ...kin.map(Number)]];
  } catch { return []; }
}
function processes() {
  if (process.platform === 'linux') return readdirSync('/proc').filter(Number).flatMap(fromProc);
  try {
    const lines = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8' }).trim().split('\\n');
    return lines.map((line) => line.trim().split(/\\s+/).map(Number));
  } catch { return [...found].map((pid) => [pid]); }
}
function send(signal) {
  const all = processes();
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const [pid, ...kin] of all) if (kin.some((id) => found.has(id))) found.add(pid);
  }
  // As they were started: a parent does not go on where its child was ended.
  const reached = all.map(([pid]) => pid).filter((pid) => found.has(pid)).filter((pid) => {
    try { return process.kill(pid, signal); } catch { return false; }
  });
  return reached.length > 0;
}
function kill() {
  for (let rounds = 0; rounds < 20 && send('SIGKILL'); rounds++);
}
process.stdin.setEncoding('utf8').on('data', (words) => {
  for (const word of words.trim().split(' ')) {
    if (Number(word)) found.add((command = Number(word)));
    else if (word === 'SIGKILL') kill();
    else send(word);
  }
  clearTimeout(forgetting);
  forgetting = setTimeout(() => { found = new Set([command]); }, 10000);
});
process.stdin.on('end', () => {
  if (!send('SIGTERM')) process.exit();
  setInterval(() => send(0) || process.exit(), 50);
  setTimeout(() => { kill(); process.exit(); }, 3000);
});`;

/** Before the command starts: what comes first can watch all of it. */
export function openLifeline(): Lifeline {
  const watcher = spawn(process.execPath, ['-e', WATCHER], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own: a Ctrl-C at the terminal is not meant for it.
    detached: true,
    env: {},
    windowsHide: true,
  });
  // Without it signals still reach the command itself; only what that has started, and a kill -9 of us, would leave something behind.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  const runs = () => watcher.pid !== undefined && watcher.exitCode === null && watcher.signalCode === null;
  let held: number | null = null;
  let sent = false;
  return {
    hold(pid) {
      held = pid;
      watcher.stdin.write(`${pid} `);
    },
    send(signal) {
      sent = true;
      if (runs()) watcher.stdin.write(`${signal} `);
      else if (held !== null) sendTo(held, signal);
    },
    async release() {
      watcher.stdin.end();
      // Most commands leave nothing, and nobody waits.
      if (held === null || !runs() || !(sent || sendTo(-held, 0))) return;
      watcher.ref();
      await once(watcher, 'exit');
    },
  };
}

/** False where there is nobody to send it to. */
function sendTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
