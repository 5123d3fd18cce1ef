import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../fixtures/free-port.ts';

const run = promisify(execFile);

/** A new folder with files and installed packages, like a developer's new project. Disposal deletes the folder. */
export interface Project extends AsyncDisposable {
  folder: string;
  /** Runs a command in the folder. @returns the command's output. @throws Error with the output if the command fails. */
  run(command: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs a command that serves a port until the project is deleted. Resolves once the port responds. @returns the URL of the server. */
  serve(command: string, env?: NodeJS.ProcessEnv): Promise<{ url: string; hasEnded: () => boolean }>;
}

/**
 * Creates a project.
 * @param root the folder for all projects.
 * @param files contents by path. `package.json` is `{}` by default.
 */
export function createProject(root: string, files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(path.join(root, 'project-'));
  for (const [name, content] of Object.entries({ 'package.json': '{"private":true}', ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  const served: { pid: number; ended: Promise<unknown> }[] = [];
  const environment = (env: NodeJS.ProcessEnv) => ({
    ...process.env,
    // Removes variables of the test runner that change the behaviour of frameworks and package managers.
    NODE_ENV: undefined,
    NODE_OPTIONS: undefined,
    VITEST: undefined,
    CI: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    ...env,
  });
  return {
    folder,
    async run(command, env = {}) {
      try {
        const options = { cwd: folder, env: environment(env), timeout: 400_000, maxBuffer: 1e8 };
        const { stdout, stderr } = await run('bash', ['-c', command], options);
        return stdout + stderr;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command}\n${stdout}\n${stderr}`);
      }
    },
    async serve(command, env = {}) {
      const port = env['PORT'] ?? (await freePort());
      const url = `http://127.0.0.1:${port}`;
      const child = spawn('bash', ['-c', `exec ${command}`], {
        cwd: folder,
        env: environment({ PORT: String(port), ...env }),
        stdio: ['ignore', 'inherit', 'inherit'],
        detached: true,
      });
      let hasEnded = false;
      const ended = new Promise<void>((resolve) =>
        child.once('exit', () => {
          hasEnded = true;
          resolve();
        }),
      );
      served.push({ pid: child.pid ?? 0, ended });
      for (let tries = 0; tries < 600 && !hasEnded; tries++) {
        if (
          await fetch(url).then(
            () => true,
            () => false,
          )
        )
          return { url, hasEnded: () => hasEnded };
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${command} does not respond at ${url}`);
    },
    async [Symbol.asyncDispose]() {
      for (const { pid, ended } of served) {
        try {
          process.kill(-pid, 'SIGKILL');
        } catch {
          // Ignores the error, because the process group of an ended program no longer exists.
        }
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
