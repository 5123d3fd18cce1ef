import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import tty from 'node:tty';

/**
 * Runs this command with the Node binary of the npm package `node`. It forwards signals and exits with the child's code, or with 128 + n
 * for a signal. If there is no such binary, it prints an error and exits with 1. This file parses on Node 14.
 */
export function handOver(nodeMajorMin) {
  const node = pinnedNode(nodeMajorMin);
  if (!node) {
    const need = `nameplate needs Node ${nodeMajorMin} or newer, this is ${process.version}`;
    fail(`${need}: install a newer one, or ${besideUs(nodeMajorMin)}.`);
    return;
  }
  // The IPC channel closes if this process is killed, which tells the child to stop.
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const atTerminal = [0, 1, 2].some(tty.isatty);
  const signals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'].filter(
    (signal) => signal in os.constants.signals,
  );
  for (const signal of signals) {
    // A terminal sends Ctrl-C to both processes itself; passed on, it would reach the child twice.
    const comesByItself = atTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => comesByItself || child.kill(signal));
  }
  child.on('error', (error) => fail(`nameplate cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
}

/** Returns the Node binary in the nearest node_modules, or undefined if there is none or it is too old. */
function pinnedNode(nodeMajorMin) {
  const require = createRequire(import.meta.url);
  if (versionBesideUs() < nodeMajorMin) return undefined;
  try {
    return require.resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Says how to get a new enough Node next to the package. Only a checkout has a lock file. */
function besideUs(nodeMajorMin) {
  if (existsSync(new URL('../package-lock.json', import.meta.url))) return 'run npm ci in its folder';
  if (versionBesideUs() >= nodeMajorMin)
    return 'let your package manager run the install script of the package node, which is there without its binary: pnpm approve-builds, yarn rebuild node, or npm rebuild node';
  return `run npm install node@${nodeMajorMin} where you installed it`;
}

/** Returns the major version of the npm package `node` in the nearest node_modules, or 0. Its install script may have been blocked. */
function versionBesideUs() {
  try {
    return Number.parseInt(createRequire(import.meta.url)('node/package.json').version, 10);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return 0;
    throw error;
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
