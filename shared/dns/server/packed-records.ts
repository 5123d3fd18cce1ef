import ipaddr from 'ipaddr.js';
import { CLASS_IN, writeWords } from '../wire/message-format.ts';
import { typeNumber } from '../wire/record-data.ts';
import { isWithin, wireNameBytes } from '../wire/wire-name.ts';

/** The type and data of a record. Names are lowercase, without a trailing dot. */
export type RecordContent =
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'NS'; server: string }
  | { type: 'SOA'; primary: string; mailbox: string; serial: number; negativeTtlS: number }
  | { type: 'CAA'; flags: number; tag: string; value: string }
  /** Text of at most 255 ASCII characters. */
  | { type: 'TXT'; text: string };

/**
 * A set of records in wire format, ready to be copied into a response. Every question to a zone ends with the zone's name. So names are
 * compressed with pointers to the zone's name in the question (RFC 1035 section 4.1.4).
 */
export interface PackedRecords {
  count: number;
  bytes: Buffer;
  /** The positions of pointers in `bytes`. Each points to the label that begins `into` bytes after the start of the zone's name. */
  pointers: readonly Pointer[];
}

interface Pointer {
  at: number;
  into: number;
}

/** The owner of records that belong to the name in the question. This name is at the same position in every message. */
export const QUESTION_NAME = Symbol('the name of the question');

/** Encodes a set of records that have the same owner name. @param zone name of the zone. */
export function packRecords(
  zone: string,
  owner: string | typeof QUESTION_NAME,
  ttlS: number,
  contents: readonly RecordContent[],
): PackedRecords {
  const parts: Buffer[] = [];
  const pointers: Pointer[] = [];
  let length = 0;
  const add = ({ bytes, into }: PackedName): void => {
    parts.push(bytes);
    length += bytes.length;
    if (into !== null) pointers.push({ at: length - 2, into });
  };
  for (const content of contents) {
    add(owner === QUESTION_NAME ? { bytes: POINTER_TO_QUESTION, into: null } : packName(owner, zone));
    const data = dataOf(content, zone);
    const head = Buffer.alloc(10);
    head.writeUInt16BE(typeNumber(content.type), 0);
    head.writeUInt16BE(CLASS_IN, 2);
    head.writeUInt32BE(ttlS, 4);
    head.writeUInt16BE(
      data.reduce((sum, { bytes }) => sum + bytes.length, 0),
      8,
    );
    add({ bytes: head, into: null });
    for (const part of data) add(part);
  }
  return { count: contents.length, bytes: Buffer.concat(parts), pointers };
}

/**
 * Copies packed records into a message and completes their pointers.
 * @param zoneAt the position in the message at which the zone's name begins.
 * @returns the position after the records.
 */
export function writeRecords(message: Buffer, at: number, records: PackedRecords, zoneAt: number): number {
  const { bytes, pointers } = records;
  bytes.copy(message, at);
  for (const pointer of pointers) {
    writeWords(message, at + pointer.at, [0xc000 | (zoneAt + pointer.into)]);
  }
  return at + bytes.length;
}

/** A compression pointer to the question, which follows the header of 12 bytes. */
const POINTER_TO_QUESTION = Buffer.of(0xc0, 12);
/** Times for secondary servers (RFC 1912 section 2.2). There are no such servers, but zone checkers expect plausible values. */
const SOA_TIMES = { refreshS: 7200, retryS: 900, expireS: 1_209_600 };

interface PackedName {
  bytes: Buffer;
  /** The position in the zone's name to which the name's pointer leads; null if the name has no pointer. */
  into: number | null;
}

/** Encodes a name. Replaces its longest common suffix with the zone's name by a pointer. */
function packName(name: string, zone: string): PackedName {
  const labels = zone.split('.');
  let into = 0;
  for (const [index, label] of labels.entries()) {
    const suffix = labels.slice(index).join('.');
    if (isWithin(name, suffix)) {
      const own = name.slice(0, name.length - suffix.length).replace(/\.$/, '');
      const head = own === '' ? Buffer.alloc(0) : wireNameBytes(own).subarray(0, -1);
      return { bytes: Buffer.concat([head, Buffer.alloc(2)]), into };
    }
    into += label.length + 1;
  }
  return { bytes: wireNameBytes(name), into: null };
}

function dataOf(content: RecordContent, zone: string): PackedName[] {
  const plain = (bytes: Buffer): PackedName => ({ bytes, into: null });
  switch (content.type) {
    case 'A':
    case 'AAAA':
      return [plain(Buffer.from(ipaddr.parse(content.address).toByteArray()))];
    case 'NS':
      return [packName(content.server, zone)];
    case 'SOA': {
      const { refreshS, retryS, expireS } = SOA_TIMES;
      const numbers = [content.serial, refreshS, retryS, expireS, content.negativeTtlS];
      const bytes = Buffer.alloc(20);
      for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
      return [packName(content.primary, zone), packName(content.mailbox, zone), plain(bytes)];
    }
    case 'TXT':
      return [plain(Buffer.concat([Buffer.of(content.text.length), Buffer.from(content.text, 'latin1')]))];
    case 'CAA': {
      const { flags, tag, value } = content;
      return [plain(Buffer.concat([Buffer.of(flags, tag.length), Buffer.from(tag + value, 'latin1')]))];
    }
  }
}
