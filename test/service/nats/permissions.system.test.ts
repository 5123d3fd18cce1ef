import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { describeNats, startNats } from '../../fixtures/nats/nats-server.ts';
import { guideRules } from './guide-rules.ts';

const STREAM = 'KV_nameplate';
/** Everything that JetStream can be asked for about a stream or a consumer, besides what an edge needs. */
const REQUESTS = [
  'INFO',
  'STREAM.NAMES',
  'STREAM.LIST',
  'CONSUMER.NAMES',
  ...[
    'CREATE',
    'UPDATE',
    'DELETE',
    'PURGE',
    'SNAPSHOT',
    'RESTORE',
    'MSG.DELETE',
    'PEER.REMOVE',
    'LEADER.STEPDOWN',
  ].map((each) => `STREAM.${each}.${STREAM}`),
  ...['LIST', 'DURABLE.CREATE', 'DELETE', 'INFO'].map((each) => `CONSUMER.${each}.${STREAM}.reader`),
  'STREAM.CREATE.KV_other',
  'STREAM.MSG.GET.KV_other',
  'CONSUMER.CREATE.KV_other.reader',
].map((each) => `$JS.API.${each}`);

/** Tries something, and returns whether the server refused it. */
async function isRefused(nc: NatsConnection, attempt: () => void): Promise<boolean> {
  const errors: unknown[] = [];
  const listening = (async () => {
    for await (const status of nc.status()) if (status.type === 'error') errors.push(status.error);
  })();
  void listening;
  attempt();
  // The refusal arrives before the first response, and is read before the second one.
  await nc.flush();
  await nc.flush();
  return errors.some((error) => String(error).toLowerCase().includes('permissions violation'));
}

describeNats('the rules of the guide for NATS', () => {
  async function connectAs(user: string, pass: string) {
    const server = await startNats(guideRules());
    const node = user === 'relay' ? 'relay-1' : user;
    const nc = await connect({ servers: server.url, user, pass, inboxPrefix: `_INBOX_${node}` });
    onTestFinished(() => nc.close());
    return nc;
  }

  test('let an edge publish only its beat and its own requests', async () => {
    const nc = await connectAs('edge-1', 'edge-password');
    const publishes = (subject: string) => isRefused(nc, () => nc.publish(subject, '{}'));
    for (const subject of [
      ...REQUESTS,
      '$KV.nameplate.host.careers.acme.com',
      '$KV.nameplate.source',
      'nameplate.value.host.careers.acme.com',
      'nameplate.relay',
      'nameplate.edge.edge-2',
      '_INBOX_edge-2.reply',
      '$SYS.REQ.SERVER.PING',
      'anything',
    ])
      expect.soft(await publishes(subject), subject).toBe(true);
    for (const subject of ['nameplate.edge.edge-1', `$JS.API.STREAM.INFO.${STREAM}`])
      expect.soft(await publishes(subject), subject).toBe(false);
  });

  test('let an edge hear only the relay and its own replies', async () => {
    const nc = await connectAs('edge-1', 'edge-password');
    const hears = (subject: string) =>
      isRefused(nc, () => nc.subscribe(subject, { callback: () => undefined }));
    for (const subject of [
      '>',
      '*',
      '$KV.nameplate.>',
      '_INBOX_edge-2.>',
      '_INBOX.>',
      'nameplate.edge.*',
      '$JS.API.>',
      '$SYS.>',
    ])
      expect.soft(await hears(subject), subject).toBe(true);
    for (const subject of ['_INBOX_edge-1.>', 'nameplate.value.>', 'nameplate.relay'])
      expect.soft(await hears(subject), subject).toBe(false);
  });

  test('let the relay write only to its bucket', async () => {
    const nc = await connectAs('relay', 'relay-password');
    const publishes = (subject: string) => isRefused(nc, () => nc.publish(subject, '{}'));
    for (const subject of [
      '$JS.API.STREAM.DELETE.KV_other',
      '$JS.API.STREAM.UPDATE.KV_nameplate',
      '$JS.API.STREAM.CREATE.KV_other',
      '$KV.other.key',
      'nameplate.edge.edge-1',
    ])
      expect.soft(await publishes(subject), subject).toBe(true);
    expect(await publishes('$KV.nameplate.host.careers.acme.com')).toBe(false);
  });

  test('let nobody in without a password', async () => {
    const server = await startNats(guideRules());
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(
      connect({ servers: server.url, user: 'edge-1', pass: 'wrong', reconnect: false }),
    ).rejects.toThrow(/authorization/i);
  });
});
