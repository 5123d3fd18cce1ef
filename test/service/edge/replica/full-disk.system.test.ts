import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HOUR_MS } from '../../../../shared/core/instant.ts';
import { describeUnlessMissing } from '../../../fixtures/describe-unless-missing.ts';
import { whyNoTinyTablespace } from '../../../fixtures/postgres/tiny-tablespace.ts';
import { APP_ID, appValue, HOST, hostValue, newFolder, OTHER, sealed } from './sample-values.ts';
import { originOf, valueSource } from './value-source.ts';

const SOON = { interval: 10 };
const AWAY = 'the edge cannot read changes, and serves what its replica has';

/** Creates a folder on a disk of a few megabytes, which a test fills. */
function tinyDisk(): { folder: string; fill(): void; free(): void } {
  const folder = newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'ignore' });
  // Lazy: a connection to a file that could not be opened is closed by the garbage collector.
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return {
    folder,
    fill() {
      for (let bytes = 1 << 20, n = 0; bytes >= 1; n++) {
        try {
          writeFileSync(path.join(folder, `ballast-${process.hrtime.bigint()}-${n}`), Buffer.alloc(bytes));
        } catch {
          bytes >>= 1;
        }
      }
    },
    free() {
      for (const name of readdirSync(folder)) if (name.startsWith('ballast')) rmSync(path.join(folder, name));
    },
  };
}

describeUnlessMissing(whyNoTinyTablespace(), 'an edge whose disk is full or read-only', () => {
  it('serves what its replica has and shows its age while the disk is full, and catches up once there is space', async () => {
    const disk = tinyDisk();
    const { open, publish, clock } = await valueSource();
    const edge = await open(disk.folder);
    disk.fill();
    const large = Buffer.alloc(500_000).toString('base64');
    await publish(
      sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]),
      sealed(`host.${HOST}`, null, [1, 2]),
      sealed('host.large.acme.com', hostValue({ origin_headers: { 'X-Large': large } })),
    );
    await expect.poll(edge.messages, SOON).toEqual([AWAY]);
    await expect.poll(() => edge.find('host', OTHER), SOON).toEqual(hostValue());
    expect(originOf(edge)).toBe('https://one.example');
    expect(edge.certificateOf(HOST)).not.toBeNull();
    const [age, beats] = [edge.ageMs(), edge.beats()];
    await expect.poll(edge.ageMs, SOON).toBeGreaterThan(age + 200);
    expect(edge.beats()).toBe(beats);
    clock.move(HOUR_MS);
    disk.free();
    await expect.poll(() => originOf(edge), SOON).toBe('https://two.example');
    await expect.poll(() => edge.find('host', HOST), SOON).toBeNull();
    await expect.poll(edge.beats, SOON).toBeGreaterThan(beats);
  });

  it('closes without an error on a full disk, and later opens with its values', async () => {
    const disk = tinyDisk();
    const { open } = await valueSource();
    const edge = await open(disk.folder);
    disk.fill();
    await edge.close();
    disk.free();
    const again = await open(disk.folder);
    expect(again.counts().hostnames).toBe(2);
    expect(again.messages()).toEqual([]);
  });

  it('keeps its replica if it cannot be opened because the disk is full, and serves from it once there is space', async () => {
    const disk = tinyDisk();
    const { open, take } = await valueSource();
    await (await open(disk.folder)).close();
    disk.fill();
    const files = readdirSync(disk.folder).filter((name) => name.startsWith('replica'));
    await expect(open(disk.folder)).rejects.toMatchObject({ code: 'edge_folder_unusable' });
    expect(readdirSync(disk.folder).filter((name) => name.startsWith('replica'))).toEqual(
      expect.arrayContaining(files),
    );
    disk.free();
    take(true);
    const edge = await open(disk.folder);
    expect(edge.find('host', OTHER)).toEqual(hostValue());
  });

  it('keeps its replica if its folder is read-only, and says which setting to change', async () => {
    const disk = tinyDisk();
    const { open } = await valueSource();
    await (await open(disk.folder)).close();
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    await expect(open(disk.folder)).rejects.toMatchObject({ code: 'edge_folder_unusable' });
    execFileSync('mount', ['-o', 'remount,rw', disk.folder]);
    expect(readdirSync(disk.folder)).toEqual(['replica.sqlite']);
    expect((await open(disk.folder)).find('host', OTHER)).toEqual(hostValue());
  });
});
