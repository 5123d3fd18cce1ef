import packet from 'dns-packet';
import type { DnsMessage, Question } from '../../shared/dns/wire/dns-message.ts';
import { readAnswer } from '../../shared/dns/wire/dns-message.ts';

/** This file builds DNS answers that no encoder would write. */
export const ID = 0x1234;
export const QUESTION: Question = {
  name: 'careers.acme.test',
  type: 'A',
  recursion: true,
  checkingDisabled: false,
};

export function readIt(bytes: Buffer, question = QUESTION): DnsMessage | null {
  return readAnswer(bytes, question, ID);
}

export interface Counts {
  answers?: number;
  authorities?: number;
  additionals?: number;
}

/** Returns header and question followed by the given bytes. The question's name is at offset 12. */
export function answerBytes(rest: readonly Buffer[], counts: Counts = {}, flags = 0x8180): Buffer {
  const { answers = rest.length, authorities = 0, additionals = 0 } = counts;
  const header = Buffer.alloc(12);
  [ID, flags, 1, answers, authorities, additionals].forEach((value, index) => {
    header.writeUInt16BE(value, index * 2);
  });
  return Buffer.concat([header, wireName(QUESTION.name), Buffer.of(0, 1, 0, 1), ...rest]);
}

/** Returns the bytes of a record. @param name the name in bytes; by default a pointer to the question's name. */
export function record(type: number, data: Buffer, name = POINTER, length = data.length, ttl = 60): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(length, 8);
  return Buffer.concat([name, head, data]);
}

export const POINTER: Buffer = Buffer.of(0xc0, 12);

export function wireName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(label), Buffer.of(0)]);
}

export function label(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/** Returns the bytes of an answer, encoded with dns-packet. */
export function encoded(sections: Partial<packet.Packet>, flags = 0x180): Buffer {
  const questions = [{ name: QUESTION.name, type: 'A' as const }];
  return packet.encode({ type: 'response', id: ID, flags, questions, ...sections });
}
