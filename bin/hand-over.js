import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import tty from 'node:tty';

/**
 * Runs the same command line on the Node of the npm package `node`, passes signals on, and ends as it ends: with its
 * code, or 128 + n for a signal. With no such Node it says so and ends with 1. Parses on Node 14.
 */
export function handOver(node_major_min) {
  const node = pinnedNode(node_major_min);
  if (!node) {
    const need = `nameplate needs Node ${node_major_min} or newer, this is ${process.version}`;
    fail(`${need}: install a newer one, or run ${besideUs(node_major_min)}.`);
    return;
  }
  // The channel ends when this process is killed, which tells the child.
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const at_terminal = [0, 1, 2].some(tty.isatty);
  const signals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'].filter(
    (signal) => signal in os.constants.signals,
  );
  for (const signal of signals) {
    // A terminal sends Ctrl-C to both processes itself; passed on, it would reach the child twice.
    const comes_by_itself = at_terminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => comes_by_itself || child.kill(signal));
  }
  child.on('error', (error) => fail(`nameplate cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
}

/** The binary in the nearest node_modules; undefined when there is none, or one that is too old itself. */
function pinnedNode(node_major_min) {
  const require = createRequire(import.meta.url);
  try {
    if (Number.parseInt(require('node/package.json').version, 10) < node_major_min) return undefined;
    return require.resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** What puts a Node beside the package. A lock file is in a checkout alone. */
function besideUs(node_major_min) {
  const is_checkout = existsSync(new URL('../package-lock.json', import.meta.url));
  return is_checkout ? 'npm ci in its folder' : `npm install node@${node_major_min} where you installed it`;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
