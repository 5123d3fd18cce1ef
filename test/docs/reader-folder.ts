import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BIN } from '../cli/bin-process.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folders of a reader, all below `outer`. */
export interface Reader {
  outer: string;
  /** The project, where the package is installed, or a checkout. */
  folder: string;
  home: string;
  /** A folder with programs, before the system's folders in the PATH. */
  programs: string;
  /** A folder for the scripts that run, and for their output. */
  scripts: string;
}

/** Programs that replace npm's: `npx nameplate` starts the package without npm, and `npm ci` only checks that the checkout is installed. */
const PROGRAMS = {
  nameplate: `exec node ${BIN} "$@"`,
  npx: `test "$1" = nameplate || PATH=\${PATH#*:} exec npx "$@"\nshift\nexec node ${BIN} "$@"`,
  npm: `test "$*" = ci && exec test -e node_modules/.package-lock.json\nPATH=\${PATH#*:} exec npm "$@"`,
};

/** The files of a checkout that the samples use. */
const CHECKOUT = ['package.json', 'bin', 'dist', 'shared', 'node_modules'];

/** Creates the folders. @param packages folders of installed packages, by name. Null for a checkout of the repository. */
export function createReader(packages: Readonly<Record<string, string>> | null): Reader {
  const outer = mkdtempSync(path.join(os.tmpdir(), 'nameplate-page-'));
  // Postgres refuses to run as root, and the user that runs it must be able to enter the folder.
  chmodSync(outer, 0o755);
  const at = (name: string) => path.join(outer, name);
  const reader = {
    outer,
    folder: at('project'),
    home: at('home'),
    programs: at('bin'),
    scripts: at('scripts'),
  };
  for (const folder of [reader.folder, reader.home, reader.programs, reader.scripts]) mkdirSync(folder);
  if (packages === null) {
    for (const name of CHECKOUT) symlinkSync(path.join(root, name), path.join(reader.folder, name));
  } else install(reader.folder, { nameplate: root, ...packages });
  for (const [name, script] of Object.entries(PROGRAMS)) {
    writeFileSync(path.join(reader.programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  // Makes curl show no progress, as on a terminal.
  writeFileSync(path.join(reader.home, '.curlrc'), 'silent\nshow-error\n');
  return reader;
}

/** Links packages into the project. Links the program of each package too if it has the package's name. */
function install(folder: string, packages: Readonly<Record<string, string>>): void {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  for (const [name, target] of Object.entries(packages)) {
    const link = path.join(modules, name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(target, link);
    const program = path.resolve(target, '../.bin', name);
    if (existsSync(program)) symlinkSync(program, path.join(modules, '.bin', name));
  }
}
