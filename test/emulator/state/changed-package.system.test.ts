import { cpSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type BinProcess, emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const EXPLAINED = /the package was replaced while this process ran: restart the process/;

/** Copies the package to a new folder, so that a test can remove parts of the package while it runs. */
function ownPackage() {
  const folder = emptyFolder();
  for (const each of ['package.json', 'bin', 'dist'])
    cpSync(path.join(ROOT, each), path.join(folder, each), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const { outputs }: { outputs: Record<string, { entryPoint?: string }> } = JSON.parse(
    readFileSync(path.join(ROOT, 'node_modules/.cache/nameplate/meta.json'), 'utf8'),
  );
  const fileOf = (source: string) => {
    const name = Object.keys(outputs).find((each) => outputs[each]?.entryPoint === source);
    if (name === undefined) throw new Error(`${source} is not a separate file`);
    return path.join(folder, name);
  };
  return {
    bin: path.join(folder, 'bin/nameplate.js'),
    takeAway: (source: string) => renameSync(fileOf(source), `${fileOf(source)}.away`),
    bringBack: (source: string) => renameSync(`${fileOf(source)}.away`, fileOf(source)),
  };
}

interface Shown {
  url: string;
  edge_url: string;
  keys: { test: string };
}

async function start(binFile: string, ...flags: string[]): Promise<{ bin: BinProcess; shown: Shown }> {
  const argv = ['emulator', 'start', '--port', '0', '--ephemeral', '--json', ...flags];
  const bin = startBin(argv, emptyHome(), undefined, undefined, binFile);
  const [document] = await bin.untilStdout(/^\{[\s\S]*\n\}\n/);
  return { bin, shown: JSON.parse(document) };
}

async function endsWell(bin: BinProcess): Promise<void> {
  bin.child.kill('SIGTERM');
  expect(await bin.ended).toBe(0);
}

test('if the package was replaced, a request that cannot load the API gets an error, and the next request loads the API', async () => {
  const own = ownPackage();
  const { bin, shown } = await start(own.bin);
  await using _ = bin;
  own.takeAway('emulator/api-listener.ts');
  const answer = await fetch(`${shown.url}/v1/domains`);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    error: { code: 'internal_error', request_id: answer.headers.get('x-request-id') },
  });
  expect(bin.stderr()).toMatch(EXPLAINED);
  own.bringBack('emulator/api-listener.ts');
  expect((await fetch(`${shown.url}/v1/domains`)).status).toBe(401);
  await endsWell(bin);
});

test("if the edge's code cannot be loaded, a visitor is disconnected, and the next visit loads it", async () => {
  const own = ownPackage();
  const { bin, shown } = await start(own.bin);
  await using _ = bin;
  own.takeAway('emulator/edge/edges.ts');
  await expect(fetch(shown.edge_url)).rejects.toThrow();
  await expect.poll(bin.stderr).toMatch(EXPLAINED);
  own.bringBack('emulator/edge/edges.ts');
  expect((await fetch(shown.edge_url)).status).toBe(404);
  await endsWell(bin);
});

test('an emulator stops even if the code of its edge and its outbound client could not be loaded', async () => {
  await using receiver = await startReceiver();
  const own = ownPackage();
  const { bin, shown } = await start(own.bin, '--clock', 'auto', '--webhook', receiver.url);
  await using _ = bin;
  own.takeAway('emulator/edge/edges.ts');
  own.takeAway('shared/adapters/request-sender.ts');
  await expect(fetch(shown.edge_url)).rejects.toThrow();
  const created = await fetch(`${shown.url}/v1/domains`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shown.keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify({ hostname: 'careers.acme.com' }),
  });
  expect(created.status).toBe(201);
  await expect.poll(() => bin.stderr().match(new RegExp(EXPLAINED, 'g'))?.length).toBeGreaterThan(1);
  await endsWell(bin);
});

test('a command under emulator exec continues if the code of the API could not be loaded in advance', async () => {
  const own = ownPackage();
  own.takeAway('emulator/api-listener.ts');
  const script =
    "fetch(process.env.NAMEPLATE_BASE_URL + '/v1/domains').then(({ status }) => console.log(status))";
  await using bin = startBin(
    ['emulator', 'exec', '--', process.execPath, '-e', script],
    emptyHome(),
    undefined,
    undefined,
    own.bin,
  );
  expect(await bin.ended).toBe(0);
  expect(bin.stdout()).toBe('500\n');
});
