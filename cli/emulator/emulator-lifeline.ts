import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A watcher process that sends signals to a command and all its descendants. A pipe connects the watcher to `emulator exec`: if `exec` is
 * killed, the pipe closes and the watcher ends the command.
 */
export interface Lifeline {
  /** Tells the watcher the process id of the command. Call it right after the command has started. */
  hold(pid: number): void;
  /** Sends a signal to the command and all its descendants. */
  send(signal: NodeJS.Signals): void;
  /** Ends the processes that the command left behind. Call it when the command has ended or did not start. */
  release(): Promise<void>;
}

/**
 * The watcher's script. A process belongs to the command if its parent, its process group or its session belongs to the command. On Linux
 * the script reads /proc; elsewhere it runs `ps`, which does not list sessions; on Windows it knows only the command itself. After a
 * signal, the script remembers the command's processes for ten seconds, so that it still finds the children of a process that has ended.
 * Then it forgets them, because the system may reuse a process id.
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
  // Signals processes in the order of their start, so that no parent sees its child end before the parent gets the signal.
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

/** Starts the watcher. Call it before the command starts, so that the watcher is already running if this process is killed. */
export function openLifeline(): Lifeline {
  const watcher = spawn(process.execPath, ['-e', WATCHER], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // The watcher has its own process group, so that Ctrl-C does not end it.
    detached: true,
    env: {},
    windowsHide: true,
  });
  // Without the watcher, signals still reach the command itself, but its descendants may survive.
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
      // Do not wait for the watcher if the command left no process behind, as most commands do.
      if (held === null || !runs() || !(sent || sendTo(-held, 0))) return;
      watcher.ref();
      await once(watcher, 'exit');
    },
  };
}

/** Sends a signal. Returns false if there is no such process. */
function sendTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
