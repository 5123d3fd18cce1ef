import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemon } from '../../fixtures/daemon.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { describeNats, NATS_SERVER, startNats } from '../../fixtures/nats/nats-server.ts';
import { newFolder, sealed } from '../edge/replica/sample-values.ts';
import { relayedDatabase } from './relayed-database.ts';

const SOON = { interval: 20 };
const KEY = 'host.careers.acme.com';
const value = (text: string, number: number) => sealed(KEY, { text }, [1, number]);

/** Starts a server in another region, which has no bucket of its own. @returns its address. */
async function startLeaf(hubPort: number): Promise<string> {
  const port = await freePort();
  const file = path.join(newFolder(), 'leaf.conf');
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\nleafnodes { remotes: [{ url: "nats://127.0.0.1:${hubPort}" }] }\n`,
  );
  const log = { stream: 'stderr', ready: /Leafnode connection created/, failed: /\[FTL\]/ } as const;
  const { stop } = await startDaemon(NATS_SERVER.programs[0] ?? '', ['-c', file], log);
  onTestFinished(stop);
  return `nats://127.0.0.1:${port}`;
}

describeNats('an edge in another region', () => {
  test('copies the bucket, and follows each change', async () => {
    const port = await freePort();
    const hub = await startNats(`leafnodes { listen: "127.0.0.1:${port}" }`, { domain: 'hub' });
    const { relay, edge, publish } = await relayedDatabase([hub.url]);
    await publish(value('one', 1));
    await relay();
    const { ready, text, replica } = await edge(newFolder(), 'edge-1', {
      servers: [await startLeaf(port)],
      domain: 'hub',
    });
    await ready;
    expect(text(KEY)).toBe('one');
    await publish(value('two', 2));
    await expect.poll(() => text(KEY), SOON).toBe('two');
    const { beat } = replica.lastBeat();
    await expect.poll(() => replica.lastBeat().beat, SOON).toBeGreaterThan(beat + 2);
  });
});
