import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PageSession } from '../docs/page-session.ts';
import { samplesOf } from '../docs/read-samples.ts';
import { describeSamples, foldersOf } from '../docs/test-pages.ts';

/** A program from a guide that receives webhooks and visitors' requests on port 3000. */
interface Receiver {
  page: string;
  /** The file name of the program in the guide. */
  file: string;
  run: string;
  /** The packages that the program imports, by name. */
  packages?: Readonly<Record<string, string>>;
}

const RECEIVERS: Readonly<Record<string, Receiver>> = {
  ...inBoth('Express 5', 'express', { express: 'express' }),
  ...inBoth('Express 4', 'express', { express: 'express4' }),
  ...inBoth('Fastify', 'fastify', { fastify: 'fastify' }),
  ...inBoth('Hono', 'hono', { hono: 'hono', '@hono/node-server': '@hono/node-server' }),
  ...inBoth('h3', 'h3', { h3: 'h3' }),
  Python: { page: 'verify-in-other-languages', file: 'app.py', run: 'python3 app.py' },
  Ruby: {
    page: 'verify-in-other-languages',
    file: 'config.ru',
    run: 'puma --quiet --bind tcp://127.0.0.1:3000 config.ru',
  },
  Go: { page: 'verify-in-other-languages', file: 'app.go', run: 'go run app.go' },
  PHP: { page: 'verify-in-other-languages', file: 'app.php', run: 'php -S 127.0.0.1:3000 app.php' },
};

const LOCKED: Record<string, Locked> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'package-lock.json'), 'utf8'),
).packages;
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const FORGERIES = readFileSync(path.join(import.meta.dirname, 'forgeries.mjs'), 'utf8');
const ENVIRONMENT = `NAMEPLATE_WEBHOOK_SECRET=${SECRET} NAMEPLATE_API_KEY=sk_test_1 NAMEPLATE_BASE_URL=http://127.0.0.1:4400`;

describeSamples('A webhook receiver', () => {
  test.concurrent.each(Object.entries(RECEIVERS))(
    'in %s accepts only requests with a valid signature',
    async (_, { page, file, run, packages = {} }) => {
      const folders = Object.entries(packages).map(([name, folder]) => [
        name,
        foldersOf([folder])[folder] ?? '',
      ]);
      await using session = new PageSession(Object.fromEntries(folders));
      const program = samplesOf(page).find(({ attributes }) => attributes['file'] === file)?.text ?? '';
      writeFileSync(path.join(session.folder, file), program);
      writeFileSync(path.join(session.folder, 'package.json'), '{"type":"module"}');
      writeFileSync(path.join(session.folder, 'forgeries.mjs'), FORGERIES);
      await session.serve(`${ENVIRONMENT} ${run}`, '3000');
      const { output } = await session.run(`SECRET=${SECRET} node forgeries.mjs`);
      const results = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Result);
      expect(results).toHaveLength(25);
      const wrong = results.filter(({ isRight, status }) =>
        isRight ? status >= 300 : status < 400 || status >= 500,
      );
      expect(wrong).toEqual([]);
    },
  );
});

/** Returns a guide's program in JavaScript and in TypeScript. */
function inBoth(name: string, page: string, packages: Receiver['packages'] = {}): Record<string, Receiver> {
  return {
    [name]: { page, file: 'app.mjs', run: 'node app.mjs', packages },
    [`${name}, in TypeScript`]: { page, file: 'app.ts', run: 'node app.ts', packages },
  };
}

test.each(['express', 'fastify', 'h3', 'hono', 'nextjs'])(
  'the guide to %s names the framework versions that these tests use, and a Node version that they accept',
  (page) => {
    const guide = readFileSync(path.join(import.meta.dirname, `../../shared/docs/${page}.md`), 'utf8');
    const names = { nextjs: ['next'], express: ['express', 'express4'] }[page] ?? [page];
    const versions = names.map((name) => /\d+\.\d+/.exec(LOCKED[`node_modules/${name}`]?.version ?? '')?.[0]);
    expect(guide).toMatch(
      new RegExp(`^Nameplate's tests run it with [\\w.]+ ${versions.join(' and ')}\\.$`, 'm'),
    );
    const [, install = ''] = /and `npm install ([^`]+)`/.exec(guide) ?? [];
    const needed = install.split(' ').flatMap((name) => oldestNodes(`node_modules/${name}`));
    const [, said = ''] = /^You need Node ([\d.]+) or newer/m.exec(guide) ?? [];
    expect(Math.max(20, ...needed.map(order))).toBe(order(said));
  },
);

interface Locked {
  version: string;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
}

/** Returns the oldest accepted version of Node for a package and for each of its dependencies. */
function oldestNodes(folder: string, seen = new Set<string>()): string[] {
  const locked = LOCKED[folder];
  if (locked === undefined || seen.has(folder)) return [];
  seen.add(folder);
  const parents = folder
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  const below = Object.keys(locked.dependencies ?? {}).flatMap((name) => {
    const places = [`node_modules/${name}`, ...parents.map((parent) => `${parent}/node_modules/${name}`)];
    return oldestNodes(places.findLast((place) => place in LOCKED) ?? '', seen);
  });
  const [oldest = '0'] = /\d+(?:\.\d+)*/.exec(locked.engines?.node ?? '') ?? [];
  return [oldest, ...below];
}

/** Returns a number for a version of Node, so that versions can be compared: 20.19 is 20.019. */
function order(version: string): number {
  const [major = '0', minor = '0'] = version.split('.');
  return Number(major) + Number(minor) / 1000;
}

interface Result {
  name: string;
  isRight: boolean;
  status: number;
}
