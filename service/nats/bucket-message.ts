import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import type { SealedValue } from '../../shared/core/edge/edge-value.ts';

/** The facts of a bucket, under the key `source`. */
export interface BucketRecord {
  /** Null if the installation has no values yet. */
  installation: string | null;
  /** A random id. It changes when the bucket is filled, and when a value is replaced by an older one. */
  generation: string;
  /** Whether the bucket has all values of the table. */
  is_complete: boolean;
}

/** A message of the bucket's stream: a value, or a record. */
export interface BucketMessage {
  sequence: number;
  /** The value; without its bytes if only headers were read. Null for a record. */
  value: SealedValue | null;
  /** Whether the value was deleted. */
  isDeleted: boolean;
  record: BucketRecord | null;
}

/** The key of the record. */
export const RECORD = 'source';
/** The key and the version of a value. A consumer can be told to deliver a message under another subject, so the subject does not prove the key. */
const VALUE = 'Nameplate-Value';
const SIZE = 'Nats-Msg-Size';

/** Stands for a message that the relay did not write. */
const FOREIGN = { epoch: 0, number: -1, value: null };

/** Reads a message of the stream. @param key the end of its subject. */
export function messageOf(
  key: string,
  sequence: number,
  headers: MsgHdrs | undefined,
  data: Uint8Array,
): BucketMessage {
  if (key === RECORD) return { sequence, value: null, isDeleted: false, record: recordOf(data) };
  const [named, version = ''] = (headers?.get(VALUE) ?? '').split(' ');
  const [epoch = 0, number = 0] = version.split('.').map(Number);
  const isDeleted = (headers?.has(SIZE) ? Number(headers.get(SIZE)) : data.length) === 0;
  const value = { key: key.replaceAll('=', '*'), epoch, number, value: isDeleted ? null : data };
  if (named !== value.key)
    return { sequence, value: { ...FOREIGN, key: value.key }, isDeleted: true, record: null };
  return { sequence, value, isDeleted, record: null };
}

/** Returns the headers of a value. */
export function headersOf({ key, epoch, number }: SealedValue): MsgHdrs {
  const headers = newHeaders();
  headers.set(VALUE, `${key} ${epoch}.${number}`);
  return headers;
}

function recordOf(data: Uint8Array): BucketRecord | null {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as BucketRecord;
  } catch {
    return null; // The relay writes a new record.
  }
}
