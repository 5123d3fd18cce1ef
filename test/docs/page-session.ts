import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from '../cli/bin-process.ts';
import { createReader, type Reader } from './reader-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The timeout of a command. A build of Next.js takes a minute on a busy machine. */
const TIMEOUT_MS = 200_000;
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

export interface CommandResult {
  /** The exit code of the first command that failed, or 0. */
  exit: number;
  /** Standard output and standard error together, as on a terminal. */
  output: string;
}

/** A script in the background: its process id and the file of its output. */
interface Job {
  id: string;
  log: string;
}

/**
 * The terminals of a reader who follows one page, in a folder where the package is installed. They have their own loopback network, so that
 * a sample can listen on the ports that the page names. They have their own process table, so that no process outlives them.
 */
export class PageSession implements AsyncDisposable {
  /** The folder in which the reader saves files. */
  readonly folder: string;
  readonly #reader: Reader;
  readonly #shell: ChildProcess;
  /** The lines that the shell prints. Each is the result of a command. */
  readonly #answers: AsyncIterator<string>;
  readonly #served = new Map<string, Job>();
  #count = 0;

  /** @param packages folders of the installed packages that the page imports, by name. Null if the reader is in a checkout. */
  constructor(packages: Readonly<Record<string, string>> | null) {
    this.#reader = createReader(packages);
    this.folder = this.#reader.folder;
    this.#shell = spawn('unshare', [...NAMESPACES, 'bash', '--noprofile', '--norc'], {
      cwd: this.folder,
      env: {
        ...COMPILE_CACHE,
        HOME: this.#reader.home,
        PATH: [this.#reader.programs, path.dirname(process.execPath), SYSTEM_PATH].join(':'),
        GOCACHE: path.join(root, 'node_modules/.cache/nameplate/go'),
        npm_config_update_notifier: 'false',
        // Without this setting, `npm start` would build first and replace files that other tests run.
        npm_config_ignore_scripts: 'true',
        NEXT_TELEMETRY_DISABLED: '1',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (this.#shell.stdout === null) throw new Error('the shell has no output');
    this.#answers = createInterface({ input: this.#shell.stdout })[Symbol.asyncIterator]();
    // Job control gives each background script a process group, so that Ctrl-C reaches all processes of the script.
    this.#send(`set -m; ip link set lo up; trap 'failed=\${failed:-$?}' ERR`);
  }

  /** Runs a script in the shell of the session, which keeps its variables and its working directory. */
  async run(script: string, timeoutMs = TIMEOUT_MS): Promise<CommandResult> {
    const file = this.#save(script);
    this.#send(`unset failed; . ${file} < /dev/null > ${file}.out 2>&1; echo "\${failed:-$?}"`);
    const exit = Number(await this.#answer(file, timeoutMs));
    return { exit, output: readFileSync(`${file}.out`, 'utf8') };
  }

  /** Runs a script in a new terminal, and presses Ctrl-C once the script has printed the text. */
  async runUntil(script: string, text: string): Promise<CommandResult> {
    const { id, log } = await this.#startJob(script, `grep -qF -- ${quoted(text)} $log`);
    await this.#interrupt(id);
    return { exit: 0, output: readFileSync(log, 'utf8') };
  }

  /**
   * Runs a script in a new terminal until the session ends, or until another script serves the same address. Resolves when the script
   * listens at the address. @param address a port of 127.0.0.1, or `host:port`.
   */
  async serve(script: string, address: string): Promise<void> {
    const before = this.#served.get(address);
    if (before !== undefined) await this.#interrupt(before.id);
    const [port, host = '127.0.0.1'] = address.split(':').reverse();
    // An open port is not enough: `nameplate` prints its addresses a moment later, when other commands can find it. So the session also waits
    // for the first line that `nameplate` prints, after npm's own lines.
    const hasPrinted = /nameplate |npm /.test(script) ? `grep -qvE '^(>.*|npm .*|)$' $log && ` : '';
    const job = await this.#startJob(script, `${hasPrinted}(exec 3<> /dev/tcp/${host}/${port}) 2> /dev/null`);
    this.#served.set(address, job);
  }

  /** Returns the output so far of the latest script that serves the address. */
  printed(address: string): string {
    const served = this.#served.get(address);
    if (served === undefined) throw new Error(`no sample serves ${address}`);
    return readFileSync(served.log, 'utf8');
  }

  /** Starts a script in the background. Resolves when the shell condition is true. The condition may read the output in `$log`. */
  async #startJob(script: string, condition: string): Promise<Job> {
    const file = this.#save(script);
    const log = `${file}.out`;
    this.#send(`log=${log}`);
    this.#send(`bash ${file} < /dev/null > $log 2>&1 & job=$!`);
    this.#send(`until ${condition}; do kill -0 $job 2> /dev/null || break; sleep 0.05; done`);
    this.#send(`kill -0 $job 2> /dev/null && echo $job || echo ended`);
    const id = await this.#answer(file, TIMEOUT_MS);
    if (id !== 'ended') return { id, log };
    throw new Error(`the sample ended before ${condition}:\n${readFileSync(log, 'utf8')}`);
  }

  async #interrupt(job: string): Promise<void> {
    this.#send(`kill -INT -- -${job}; wait ${job} 2> /dev/null; echo ended`);
    await this.#answer('the end of a sample', TIMEOUT_MS);
  }

  #save(script: string): string {
    this.#count += 1;
    const file = path.join(this.#reader.scripts, `${this.#count}.sh`);
    writeFileSync(file, script);
    return file;
  }

  #send(line: string): void {
    this.#shell.stdin?.write(`${line}\n`);
  }

  async #answer(file: string, timeoutMs: number): Promise<string> {
    const late = Promise.withResolvers<never>();
    const fail = () => {
      const printed = printedIn(`${file}.out`);
      late.reject(new Error(`no end of a sample within ${timeoutMs} ms:\n${printed}`));
    };
    const timer = setTimeout(fail, timeoutMs);
    try {
      const { value, done } = await Promise.race([this.#answers.next(), late.promise]);
      if (done) throw new Error(`the sample ended the shell:\n${printedIn(`${file}.out`)}`);
      return value;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#shell, 'exit');
    this.#shell.kill('SIGKILL');
    await ended;
    rmSync(this.#reader.outer, { recursive: true, force: true });
  }
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function printedIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
