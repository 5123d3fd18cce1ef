#!/usr/bin/env node
/**
 * Starts the CLI on a Node that is new enough: the current one, or the one that `npm ci` installed with the package. This file is not
 * compiled and parses on Node 14, so that an old Node prints a clear message instead of a syntax error.
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
 * Sends this process SIGTERM once its parent has exited. The parent is either a process that forked this one (the launcher on an old Node,
 * or the parent process of a node), or npm's shell. npm and npx send signals only to that shell, which exits without forwarding them. A
 * script with several commands is ignored, because it may need this process to keep running.
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
  // Avoids import statements: the one for `node:fs` alone adds 3 ms to every command.
  const [fs, module, os, path] = ['fs', 'module', 'os', 'path'].map(process.getBuiltinModule);
  const main = new URL('../dist/cli.js', import.meta.url);
  if (!fs.existsSync(main) && !build(fs)) {
    process.stderr.write('nameplate is not built: run npm ci and npm run build in its folder.\n');
    process.exitCode = 1;
    return;
  }
  try {
    os.homedir();
  } catch {
    // The user has no passwd entry, as in many containers. Libraries look for the home folder when they are imported.
    process.env.HOME = '/nonexistent';
  }
  const cache = compileCacheFolder(fs, os, path);
  if (cache) module.enableCompileCache(cache);
  const { run } = await import(main.href);
  const code = await run(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
}

/** Builds a new checkout at its first command. @returns false if that failed, or if this is not a checkout. */
function build(fs) {
  const { fileURLToPath } = process.getBuiltinModule('url');
  const script = fileURLToPath(new URL('build.ts', import.meta.url));
  if (!fs.existsSync(script)) return false;
  process.stderr.write('Building nameplate, once…\n');
  const { spawnSync } = process.getBuiltinModule('child_process');
  return spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/**
 * Returns the folder of the compile cache, or undefined for no cache. Node runs the cache as code, so it must be in the user's own folder
 * and never in the shared temporary folder. It is refused if another user owns it or can write to it.
 */
function compileCacheFolder(fs, os, path) {
  try {
    const folder = path.join(userCacheFolder(os, path), 'nameplate', 'compile');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.statSync(folder);
    const isOurs = process.platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs ? folder : undefined;
  } catch {
    // There is no home folder, or the disk is full or read-only. The command runs without a cache, only slower.
    return undefined;
  }
}

function userCacheFolder(os, path) {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  return path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}
