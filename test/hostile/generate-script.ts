import { HOST } from '../edge/edge-under-test.ts';
import { PREFACE } from '../edge/wire/raw-http2.ts';
import { type Dice, diceOf } from './dice.ts';
import { API, BROKEN, KEY, MISBEHAVED, ODD, type Piece, RIGHT } from './http1-pieces.ts';
import { http2Talk } from './http2-pieces.ts';
import { KNOWN_ATTACKS, timed } from './known-attacks.ts';
import type { Ending, PortName, Script, TlsOffer, Write } from './script.ts';
import { oddOffer, rawHandshake, rightOffer, TAMPERS } from './tls-pieces.ts';
import { webSocketFrame } from './websocket-pieces.ts';

/** The hostnames and ports of an attacked process. */
export interface Scenery {
  /** Hostnames with an origin, by the port that serves them. */
  hosts: Readonly<Partial<Record<PortName, string>>>;
  /** Ports that speak TLS. */
  secure: ReadonlySet<PortName>;
  ports: readonly (readonly [weight: number, port: PortName])[];
  key: string;
  hellos: readonly Buffer[];
}

const ENDINGS: readonly (readonly [number, readonly Ending[]])[] = [
  [5, ['reset', 'resetOnResponse', 'end']],
  [1, ['linger']],
];

/** The fraction of known attacks among the connections. They prove that the fuzzer can find a defect. */
const KNOWN_SHARE = 0.03;

/** Returns the script of one connection. The seed and the connection's number determine the script. */
export function generateScript(seed: number, index: number, scenery: Scenery): Script {
  const dice = diceOf(seed, index);
  const port = dice.pickGroup(scenery.ports.map(([weight, each]) => [weight, [each]] as const));
  const host = scenery.hosts[port] ?? 'localhost';
  const known = KNOWN_ATTACKS.filter(({ ports }) => ports.includes(port));
  if (known.length > 0 && dice.chance(KNOWN_SHARE)) return dice.pick(known).script(port, dice, host);
  const secure = scenery.secure.has(port);
  const talk = dice.pickGroup([
    [secure ? 4 : 8, [http1Talk]],
    [2, [webSocketTalk]],
    [secure ? 4 : 1, [framesTalk]],
    [secure ? 3 : 0.3, [handshakeTalk]],
  ])(dice, scenery, host, secure);
  return {
    title: talk.title,
    port,
    tls: talk.tls,
    writes: cut(dice, talk.writes),
    ending: dice.pickGroup(ENDINGS),
    deaf: dice.chance(0.05),
  };
}

interface Talk {
  title: string;
  tls: TlsOffer | null;
  writes: Write[];
}

function http1Talk(dice: Dice, scenery: Scenery, host: string, secure: boolean): Talk {
  const pieces = pipeline(dice, 1 + dice.below(6));
  return {
    title: titleOf(pieces),
    tls: tlsOf(dice, secure, host, 'http/1.1'),
    writes: timed(
      dice,
      pieces.map((each) => bytesOf(each, host, scenery.key)).map((each) => mutated(dice, each)),
    ),
  };
}

/** Returns the writes of a WebSocket handshake, alone or after other requests. Frames follow immediately or later. */
function webSocketTalk(dice: Dice, scenery: Scenery, host: string, secure: boolean): Talk {
  const upgrades = ODD.filter(({ title }) => /upgrade|WebSocket/.test(title));
  const pieces = [...pipeline(dice, dice.pick([0, 0, 1, 2])), dice.pick([...upgrades, ...MISBEHAVED])];
  const frames = Array.from({ length: dice.below(5) }, () => webSocketFrame(dice));
  const after = pipeline(dice, dice.pick([0, 0, 1]));
  return {
    title: `${titleOf(pieces)}, ${frames.length} frames, ${titleOf(after)}`,
    tls: tlsOf(dice, secure, host, 'http/1.1'),
    writes: timed(dice, [
      ...pieces.map((each) => bytesOf(each, host, scenery.key)),
      ...frames,
      ...after.map((each) => bytesOf(each, host, scenery.key)),
    ]),
  };
}

function framesTalk(dice: Dice, _scenery: Scenery, host: string, secure: boolean): Talk {
  const { title, writes } = http2Talk(dice, host);
  const preface = dice.chance(0.97) ? [PREFACE] : [];
  return {
    title: `HTTP/2: ${title}`,
    tls: tlsOf(dice, secure, host, 'h2'),
    writes: timed(dice, [...preface, ...writes]),
  };
}

/** Returns a TLS handshake that is malformed or that is damaged in transit. */
function handshakeTalk(dice: Dice, scenery: Scenery, host: string): Talk {
  if (dice.chance(0.4)) {
    const { title, writes } = rawHandshake(dice, scenery.hellos);
    return { title, tls: null, writes: timed(dice, writes) };
  }
  const tls = oddOffer(dice, host);
  const { servername, ALPNProtocols } = tls.options;
  const { title, writes } = http1Talk(dice, scenery, host, false);
  return { title: `TLS for ${servername} over ${ALPNProtocols}, ${tls.tamper?.how}: ${title}`, tls, writes };
}

function tlsOf(dice: Dice, secure: boolean, host: string, protocol: 'h2' | 'http/1.1'): TlsOffer | null {
  if (!secure) return null;
  const right = rightOffer(host, protocol);
  return dice.chance(0.9)
    ? right
    : { ...right, tamper: { atByte: 500 + dice.below(3000), how: dice.pick(TAMPERS) } };
}

function pipeline(dice: Dice, length: number): Piece[] {
  const groups = [
    [4, RIGHT],
    [1, MISBEHAVED],
    [3, ODD],
    [1, BROKEN],
    [2, API],
  ] as const;
  return Array.from({ length }, () => dice.pickGroup(groups));
}

function titleOf(pieces: readonly Piece[]): string {
  return pieces.map(({ title }) => title).join(', ');
}

function bytesOf({ bytes }: Piece, host: string, key: string): Buffer {
  return Buffer.from(bytes.replaceAll(HOST, host).replaceAll(KEY, key), 'latin1');
}

/** Changes the bytes of one piece in ten at random. */
function mutated(dice: Dice, bytes: Buffer): Buffer {
  if (bytes.length === 0 || !dice.chance(0.1)) return bytes;
  const at = dice.below(Math.min(bytes.length, 300));
  if (dice.chance(0.5)) return bytes.subarray(0, at);
  const changed = Buffer.from(bytes);
  changed[at] = dice.below(256);
  return changed;
}

/** Ends the writes of one in five connections early, often in the middle of a write. */
function cut(dice: Dice, writes: Write[]): Write[] {
  if (!dice.chance(0.2)) return writes;
  const last = dice.below(writes.length);
  return writes
    .slice(0, last + 1)
    .map((write, i) =>
      i < last ? write : { ...write, bytes: write.bytes.subarray(0, dice.below(write.bytes.length + 1)) },
    );
}
