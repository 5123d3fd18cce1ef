import type { Status } from './status.ts';

export interface Point {
  x: number;
  y: number;
}

/** Positions of the states in a drawing of the state machine. The edges come from the table of transitions. */
export interface Layout {
  width: number;
  height: number;
  /** Center of each state's box. */
  at: Record<Status, Point>;
  /** Position of the caption about the states that every other state leads to. */
  caption: Point;
}

export const BOX = { width: 126, height: 38 };

/** The path to a live domain runs from left to right; failures are below it, and final states below those. */
export const WIDE: Layout = {
  width: 800,
  height: 300,
  at: {
    pending_dns: { x: 75, y: 50 },
    verifying: { x: 285, y: 50 },
    issuing: { x: 510, y: 50 },
    active: { x: 725, y: 50 },
    expired: { x: 180, y: 165 },
    cert_failed: { x: 510, y: 165 },
    dns_broken: { x: 725, y: 165 },
    held: { x: 510, y: 262 },
    deleted: { x: 725, y: 262 },
  },
  caption: { x: 425, y: 267 },
};

/** Layout for phones: the path runs from top to bottom. */
export const NARROW: Layout = {
  width: 330,
  height: 462,
  at: {
    pending_dns: { x: 77, y: 40 },
    verifying: { x: 158, y: 124 },
    expired: { x: 253, y: 40 },
    issuing: { x: 77, y: 214 },
    cert_failed: { x: 253, y: 214 },
    active: { x: 77, y: 312 },
    dns_broken: { x: 253, y: 312 },
    held: { x: 77, y: 430 },
    deleted: { x: 253, y: 430 },
  },
  caption: { x: 165, y: 392 },
};
