import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { isWhole, parseAnswer, type RawVisitor, rawVisitor } from '../edge/wire/raw-visitor.ts';
import { type Program, SETUPS } from './fronts.ts';
import type { ProxyWorld } from './proxy-world.ts';

/** For each program, the setup that forwards HTTP and HTTPS to an edge with a certificate. */
export const THROUGH = SETUPS.filter(
  ({ front, stage }) => front.title === 'both schemes' && stage === 'after',
);
export const VISITOR = '127.0.0.77';
const VICTIM = '127.0.0.78';
/** Headers that a visitor's `Connection` header lists, and that the program forwards nevertheless. They may reach the origin. */
const PASSED_ON: Record<Program, readonly string[]> = {
  nginx: ['X-Hop', 'X-HOP', 'X-Other'],
  caddy: [],
  haproxy: [],
};
/** How long a test waits for a program that does not respond to a visitor's bytes. */
export const READ_MS = 100;

/** A way to visit the server of one program. */
export interface Visits {
  hostname: string;
  address: string;
  /** Opens a connection for HTTP/1.1. @param from the visitor's address. */
  visit(from: string): Promise<RawVisitor>;
  /**
   * Sends a request as another visitor. The program may forward it over a connection that it has used for an earlier visitor. Expects the
   * response to this request and nothing else.
   */
  expectVictimUnharmed(path: string): Promise<void>;
  /** Expects that requests at the origin have the visitor's real address and nothing that the visitor forged. */
  expectClean(requests: readonly IncomingMessage[]): void;
}

export function visitsOf(program: Program, world: () => ProxyWorld): Visits {
  const setup = THROUGH.find((each) => each.program === program);
  if (setup === undefined) throw new Error(`${program} does not run`);
  const { hostname, address } = setup;
  const visit = (from: string) => rawVisitor(world().upstream.httpsPort, hostname, from, '', address);
  return {
    hostname,
    address,
    visit,
    async expectVictimUnharmed(path) {
      const { arrived } = world();
      arrived.length = 0;
      using victim = await visit(VICTIM);
      victim.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      const { body } = parseAnswer(await victim.until(isWhole));
      const request = arrived.find(({ url }) => url === path);
      const forwardedFor = request?.headersDistinct['x-forwarded-for'];
      expect({ body, forwardedFor }).toEqual({ body: `origin ${path}`, forwardedFor: [VICTIM] });
    },
    expectClean(requests) {
      for (const { headersDistinct: headers, rawHeaders } of requests) {
        const forged = rawHeaders.filter(
          (_, i) => !PASSED_ON[program].includes(rawHeaders[i - (i % 2)] ?? ''),
        );
        expect(JSON.stringify(forged)).not.toContain('evil');
        expect(headers['host']).toEqual([hostname]);
        expect(headers['x-forwarded-for']).toEqual([VISITOR]);
        expect(headers['x-forwarded-proto']).toEqual(['https']);
        expect(headers['x-tenant']).toEqual(['acme']);
        expect(headers['x-service-domain-id']).toEqual(['dom_1']);
        expect(headers['x-service-signature']).toEqual([expect.stringMatching(/^v1=[0-9a-f]{64}$/)]);
      }
    },
  };
}

/** Returns the path of the victim's request after an attack, made of the attack's title without characters that nginx refuses. */
export function victimPath(title: string): string {
  return `/victim-of-${title.replace(/[^\w]+/g, '-')}`;
}
