import { expect, test } from 'vitest';
import type { ValueSource } from '../../../service/edge/replica/value-source.ts';
import type { Bucket } from '../../../service/nats/bucket.ts';
import { openBucketWriter } from '../../../service/nats/bucket-writer.ts';
import { sealed } from '../edge/replica/sample-values.ts';

const value = (key: string, number = 1) => sealed(key, { text: 'one' }, [1, number]);

function writerOf(sequences: number[]) {
  const bucket = { put: async () => sequences.shift() ?? 0 } as unknown as Bucket;
  return openBucketWriter({ bucket, source: {} as ValueSource, checkLease: async () => undefined });
}

test('a writer notices that the bucket has lost messages, because their sequences are used again', async () => {
  const writer = writerOf([20, 21, 18]);
  await writer.putAll([value('host.a.com')], () => true);
  await writer.putAll([value('host.b.com')], () => true);
  expect(writer.hasGoneBack).toBe(false);
  await writer.putAll([value('host.c.com')], () => true);
  expect(writer.hasGoneBack).toBe(true);
});

test('a writer accepts confirmations that arrive out of order', async () => {
  const writer = writerOf([12, 11]);
  await writer.putAll([value('host.a.com'), value('host.b.com')], () => true);
  expect([writer.hasGoneBack, writer.sequence]).toEqual([false, 12]);
});

test('a writer writes nothing once its lease has ended', async () => {
  await expect(writerOf([1]).putAll([value('host.a.com')], () => false)).rejects.toThrow(
    'the lease of the relay has ended',
  );
});
