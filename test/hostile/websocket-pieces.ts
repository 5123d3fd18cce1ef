import type { Dice } from './dice.ts';

const OPCODES = [0, 1, 2, 3, 8, 9, 10, 15];

/** Returns a frame that may break any rule of RFC 6455 section 5.2. */
export function webSocketFrame(dice: Dice): Buffer {
  const head = (dice.chance(0.8) ? 0x80 : dice.below(8) * 16) | dice.pick(OPCODES);
  const payload = dice.bytes(dice.pick([0, 1, 5, 125]));
  const masked = dice.chance(0.8);
  const length = dice.chance(0.9) ? payload.length : dice.below(128);
  return Buffer.concat([
    Buffer.from([head, (masked ? 0x80 : 0) | length]),
    masked ? dice.bytes(4) : Buffer.alloc(0),
    payload,
  ]);
}
