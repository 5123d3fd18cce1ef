#!/usr/bin/env node
/**
 * Starts the command line on a Node that is new enough: this one, or the one that `npm ci` put beside the package.
 * This file is not compiled and parses on Node 14, so that an old Node gets a sentence and not a syntax error.
 */
const NODE_MAJOR_MIN = 24;

endWithParent();

if (Number.parseInt(process.version.slice(1), 10) < NODE_MAJOR_MIN) {
  const { handOver } = await import('./hand-over.js');
  handOver(NODE_MAJOR_MIN);
} else {
  await start();
}

/**
 * Sends this process SIGTERM once its parent has ended without a signal. The parent is a process that forked it (the launcher on an old Node,
 * the parent of a node) or the shell of npm. npm and npx signal only that shell, which ends and passes nothing on. A script that
 * starts more than this command may want it to keep running.
 */
function endWithParent() {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.connected) {
    process.once('disconnect', end);
    process.channel.unref();
  }
  const { npm_lifecycle_script: script } = process.env;
  if (!script?.includes('nameplate') || /[&;|\n]/.test(script)) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 250);
  watch.unref();
}

async function start() {
  // Not by import statements: those of `node:fs` alone would add 3 ms to every command.
  const [fs, module, os, path] = ['fs', 'module', 'os', 'path'].map(process.getBuiltinModule);
  const main = new URL('../dist/cli.js', import.meta.url);
  if (!fs.existsSync(main)) {
    process.stderr.write('nameplate is not built: run npm ci, or npm run build, in its folder.\n');
    process.exitCode = 1;
    return;
  }
  const cache = compileCacheFolder(fs, os, path);
  if (cache) module.enableCompileCache(cache);
  const { run } = await import(main.href);
  const code = await run(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
}

/**
 * A folder of the user's own, since what lies in it is run as code: never the shared temporary folder, and
 * undefined (no cache) when another user owns it or may write to it.
 */
function compileCacheFolder(fs, os, path) {
  try {
    const folder = path.join(userCacheFolder(os, path), 'nameplate', 'compile');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.statSync(folder);
    const is_ours = process.platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);
    return is_ours ? folder : undefined;
  } catch {
    // No home, a full or a read-only disk: the cache only saves time, so the command runs without it.
    return undefined;
  }
}

function userCacheFolder(os, path) {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  return path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}
