import { HOST } from '../edge/edge-under-test.ts';
import { ATTACKS, GET, NORMALISED, REFUSED } from '../edge/wire/hostile-http2.ts';
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type Field,
  type FrameWriter,
  frameWriter,
  GOAWAY,
  HEADERS,
  PING,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
} from '../edge/wire/raw-http2.ts';
import type { Dice } from './dice.ts';
import { MISBEHAVING_PATHS } from './origin.ts';

const PRIORITY = 2;
const PUSH_PROMISE = 5;
const PRIORITY_UPDATE = 16;

/** The standard frame types and some unknown ones. */
const TYPES = [
  DATA,
  HEADERS,
  PRIORITY,
  RST_STREAM,
  SETTINGS,
  PUSH_PROMISE,
  PING,
  GOAWAY,
  WINDOW_UPDATE,
  CONTINUATION,
];
const UNKNOWN_TYPES = [10, 12, PRIORITY_UPDATE, 0xf0, 0xff];
const ERROR_CODES = [0, 1, 2, 3, 5, 7, 8, 11, 13, 0xff, 0xffffffff];
const METHODS = ['GET', 'GET', 'POST', 'HEAD', 'CONNECT', 'OPTIONS'];

const LISTS: readonly (readonly Field[])[] = [
  ...REFUSED.map(([, , list]) => list),
  ...NORMALISED.map(([, list]) => list),
  [[':method', 'CONNECT'], [':protocol', 'websocket'], ...GET.slice(1)],
];

/** One kind of hostile frames: a title, and a function that writes such frames. */
type Piece = readonly [title: string, write: (to: FrameWriter, dice: Dice) => void];

const PIECES: readonly Piece[] = [
  ['a request', (to, dice) => to.headers(streamOf(dice), requestOf(dice))],
  ['a request with a body to come', (to, dice) => to.headers(streamOf(dice), requestOf(dice), END_HEADERS)],
  ['an odd request', (to, dice) => to.headers(streamOf(dice), dice.pick(LISTS))],
  [
    'an odd request with a body to come',
    (to, dice) => to.headers(streamOf(dice), dice.pick(LISTS), END_HEADERS),
  ],
  ['a header block to be continued', (to, dice) => to.headers(streamOf(dice), requestOf(dice), END_STREAM)],
  ['trailers', (to, dice) => to.headers(streamOf(dice), [['x-after', 'b']])],
  [
    'DATA',
    (to, dice) =>
      to.frame({
        type: DATA,
        flags: dice.below(2),
        stream: streamOf(dice),
        payload: Buffer.alloc(dice.pick([0, 1, 1000, 16_384])),
      }),
  ],
  ['RST_STREAM', (to, dice) => to.frame({ type: RST_STREAM, stream: streamOf(dice), payload: codeOf(dice) })],
  ['GOAWAY', (to, dice) => to.frame(goaway(dice))],
  [
    'PING',
    (to, dice) => to.frame({ type: PING, flags: dice.below(2), payload: Buffer.alloc(dice.pick([8, 8, 7])) }),
  ],
  ['SETTINGS', (to, dice) => to.frame({ type: SETTINGS, payload: settingsOf(dice) })],
  ['an acknowledgement', (to) => to.frame({ type: SETTINGS, flags: ACK })],
  ['WINDOW_UPDATE', (to, dice) => to.frame(windowUpdate(dice))],
  ['PRIORITY', (to, dice) => to.frame({ type: PRIORITY, stream: streamOf(dice), payload: dice.bytes(5) })],
  [
    'a frame of a known type, filled with chance',
    (to, dice) =>
      to.frame({
        type: dice.pick(TYPES),
        flags: dice.below(256),
        stream: streamOf(dice),
        payload: dice.bytes(dice.below(40)),
      }),
  ],
  [
    'a frame of an unknown type',
    (to, dice) =>
      to.frame({
        type: dice.pick(UNKNOWN_TYPES),
        flags: dice.below(256),
        payload: dice.bytes(dice.below(40)),
      }),
  ],
  [
    'a frame whose length lies',
    (to, dice) =>
      to.frame({
        type: dice.pick(TYPES),
        stream: streamOf(dice),
        length: dice.pick([0, 1, 100, 16_385, 0xffffff]),
        payload: dice.bytes(8),
      }),
  ],
  ['bytes of chance', (to, dice) => to.bytes(dice.bytes(dice.below(30)))],
];

/** The fraction of attacks with very many frames. A process needs about a second for each. */
const LARGE_ATTACK_SHARE = 0.002;

export interface Http2Talk {
  title: string;
  writes: Buffer[];
}

/** Returns random frames in random order, without the connection preface. */
export function http2Talk(dice: Dice, host: string): Http2Talk {
  const writes: Buffer[] = [];
  const titles: string[] = [];
  const to = frameWriter((bytes) => writes.push(bytes));
  const own: FrameWriter = {
    ...to,
    headers: (stream, list, flags) =>
      to.headers(
        stream,
        list.map(([name, value]) => [name, value.replaceAll(HOST, host)] as const),
        flags,
      ),
  };
  if (dice.chance(0.9))
    to.frame({ type: SETTINGS, payload: dice.chance(0.7) ? Buffer.alloc(0) : settingsOf(dice) });
  if (dice.chance(LARGE_ATTACK_SHARE)) {
    const [title, attack] = dice.pick(ATTACKS);
    attack(own);
    return { title, writes: [Buffer.concat(writes)] };
  }
  for (let left = 1 + dice.below(10); left > 0; left--) {
    const [title, write] = dice.pick(PIECES);
    titles.push(title);
    write(own, dice);
  }
  return { title: titles.join(', '), writes };
}

/** Creates a GOAWAY frame: the visitor accepts nothing more (RFC 9113 section 6.8). */
export function goaway(dice: Dice, code = codeOf(dice)) {
  const last = Buffer.alloc(4);
  last.writeUInt32BE(dice.pick([0, 1, 3, 0x7fffffff]));
  return { type: GOAWAY, payload: Buffer.concat([last, code]) };
}

/** Returns a stream id. It is small, so that several frames use the same stream. */
function streamOf(dice: Dice): number {
  return dice.pick([0, 1, 1, 1, 3, 3, 5, 7, 2, 0x7fffffff]);
}

function codeOf(dice: Dice): Buffer {
  const code = Buffer.alloc(4);
  code.writeUInt32BE(dice.pick(ERROR_CODES));
  return code;
}

function requestOf(dice: Dice): readonly Field[] {
  const path = dice.chance(0.5) ? '/' : dice.pick(MISBEHAVING_PATHS);
  return [
    [':method', dice.pick(METHODS)],
    [':scheme', 'https'],
    [':authority', HOST],
    [':path', path],
  ];
}

/** Returns the payload of a SETTINGS frame: an id of two bytes and a value of four bytes for each setting (RFC 9113 section 6.5.2). */
function settingsOf(dice: Dice): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(dice.pick([1, 2, 3, 4, 5, 6, 8, 9, 0xffff]));
  payload.writeUInt32BE(dice.pick([0, 1, 2, 100, 16_384, 65_535, 0x7fffffff, 0xffffffff]), 2);
  return dice.chance(0.9) ? payload : payload.subarray(1);
}

function windowUpdate(dice: Dice) {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(dice.pick([0, 1, 65_535, 0x7fffffff, 0xffffffff]));
  return { type: WINDOW_UPDATE, stream: streamOf(dice), payload };
}
