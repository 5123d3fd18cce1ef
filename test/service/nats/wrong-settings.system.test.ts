import { createInbox } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { connectNats, inboxOf } from '../../../service/nats/connect-nats.ts';
import { describeNats, startNats } from '../../fixtures/nats/nats-server.ts';
import { sealed } from '../edge/replica/sample-values.ts';
import { guideRules } from './guide-rules.ts';
import { BUCKET, recordedLog, relayedDatabase } from './relayed-database.ts';

const SOON = { interval: 10 };

/** Connects with the user `edge-1` of the guide. @param settings a `node` of another name is the mistake of a test. */
async function connectAsEdge(settings: { servers: string[]; password: string; node: string }) {
  const logged: string[] = [];
  const ending = new AbortController();
  const unused = { credentials: null, caRoots: null, domain: null, bucket: BUCKET, replicas: 1 };
  const options = { ...unused, ...settings, user: 'edge-1', log: recordedLog(logged) };
  const connecting = connectNats(options, ending.signal);
  connecting.catch(() => undefined);
  onTestFinished(async () => {
    ending.abort();
    await (await connecting.catch(() => null))?.close();
  });
  return { connecting, logged };
}

describeNats('wrong settings of NATS', () => {
  test('a user of another node causes one line in the log for each kind of refusal, which names the setting', async () => {
    const server = await startNats(guideRules());
    const { connecting, logged } = await connectAsEdge({
      servers: [server.url],
      password: 'edge-password',
      node: 'edge-2',
    });
    const nc = await connecting;
    for (let i = 0; i < 3; i++) nc.subscribe(createInbox(inboxOf('edge-2')), { callback: () => undefined });
    nc.publish('nameplate.relay');
    await nc.flush();
    await nc.flush();
    await expect.poll(() => logged.length, SOON).toBe(2);
    expect(logged[0]).toContain('NAMEPLATE_EDGE_NODE');
  });

  test('the log names each reason why NATS does not accept a connection once, and the settings to check', async () => {
    const server = await startNats(guideRules());
    await server.kill();
    const { logged } = await connectAsEdge({ servers: [server.url], password: 'wrong', node: 'edge-1' });
    await expect.poll(() => logged.length, SOON).toBe(1);
    expect(logged[0]).toContain('NATS_URL');
    await server.restart();
    await expect.poll(() => logged.length, SOON).toBe(2);
    expect(new Set(logged).size).toBe(1);
  });

  test('a relay that shall keep more copies than there are servers names the setting', async () => {
    const server = await startNats();
    const { relay } = await relayedDatabase([server.url], 3);
    const { report } = await relay();
    await expect.poll(() => report()?.error, SOON).toContain('NAMEPLATE_NATS_REPLICAS');
  });

  test('a relay without JetStream says that it does not respond', async () => {
    // Without the limits of an account, a server says by itself that JetStream is off.
    const rules =
      'accounts { one { jetstream: { max_consumers: 9 }, users: [{ user: a, password: b }] } }, no_auth_user: a';
    const server = await startNats(rules, { hasJetStream: false });
    const { relay } = await relayedDatabase([server.url]);
    const { report } = await relay();
    await expect.poll(() => report()?.error, SOON).toContain('JetStream does not respond');
  });

  test('an edge logs no warning if it starts while a relay works', async () => {
    const server = await startNats();
    const { relay, publish, edge } = await relayedDatabase([server.url]);
    await publish(sealed('host.careers.acme.com', { text: 'one' }, [1, 1]));
    const { report } = await relay();
    await expect.poll(() => report()?.generation, SOON).toEqual(expect.any(String));
    const { ready, logged } = await edge();
    await ready;
    expect(logged).toEqual([]);
  });

  test('an edge without a copy says that it waits for one, and not that the relay is at fault', async () => {
    const server = await startNats();
    await server.kill();
    const { edge, source } = await relayedDatabase([server.url]);
    const { logged } = await edge();
    await expect
      .poll(() => logged, SOON)
      .toContain('the edge cannot read changes, and waits for its first copy');
    await expect(source().installation()).rejects.toThrow('NATS is not connected');
  });
});
