import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openFolder } from '../../../service/edge/nginx/nginx-folder.ts';
import { findRunning } from '../../../service/edge/nginx/nginx-process.ts';

const parent = mkdtempSync(path.join(os.tmpdir(), 'np-folder-'));
afterAll(() => rmSync(parent, { recursive: true }));
const at = (name: string) => path.join(parent, name);
const refusal = (fault: string) =>
  expect.objectContaining({ code: 'edge_folder_unusable', message: expect.stringContaining(fault) });

test("the folder of the edge's nginx is created for its user alone, and found again", () => {
  openFolder(at('new'));
  openFolder(at('new'));
  expect(statSync(at('new')).mode & 0o777).toBe(0o700);
});

test("a folder for the edge's nginx that another user may have prepared is refused", () => {
  writeFileSync(at('file'), '');
  expect(() => openFolder(at('file'))).toThrow(refusal('is not a folder'));
  expect(() => openFolder(at('file/below'))).toThrow(refusal('cannot be created (ENOTDIR)'));
  openFolder(at('own'));
  symlinkSync(at('own'), at('link'));
  expect(() => openFolder(at('link'))).toThrow(refusal('is not a folder'));
  for (const mode of [0o770, 0o705]) {
    chmodSync(at('own'), mode);
    expect(() => openFolder(at('own'))).toThrow(refusal('is open to other users'));
  }
  chmodSync(at('own'), 0o700);
  using _user = vi.spyOn(process, 'geteuid').mockReturnValue(4_000_000);
  expect(() => openFolder(at('own'))).toThrow(refusal('belongs to another user'));
});

test('the record of the running nginx is ignored if its id is a path outside the folder', async () => {
  openFolder(at('edge'));
  mkdirSync(at('outside'));
  const id = '../outside';
  const server = createServer((_, response) => response.end(id));
  await new Promise<void>((resolve) => server.listen(at('outside/nginx.sock'), resolve));
  writeFileSync(at('edge/current.json'), JSON.stringify({ id, pid: process.pid, hash: 'other' }));
  expect(await findRunning(at('edge'))).toBeNull();
  server.close();
});
