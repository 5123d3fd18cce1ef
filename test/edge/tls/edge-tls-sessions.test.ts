import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST } from '../edge-under-test.ts';
import { answerOf } from '../wire/http2-visitor.ts';
import { parseAnswer } from '../wire/raw-visitor.ts';
import { certificatesFor } from './certificates-under-test.ts';
import { askOver, handshake } from './tls-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const JOBS = 'jobs.acme.com';
const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;

type Version = 'TLSv1.2' | 'TLSv1.3';

/** Starts an edge for these names, with these session ticket keys. */
function edgeOf(ticketKeys: Buffer | null, ...hostnames: string[]) {
  const certificates = certificatesFor(ca, ...hostnames);
  return edgeWith({}, { tls: { certificates, ...(ticketKeys ? { ticketKeys } : {}) } });
}

/** Makes a full handshake and a request. Returns the TLS session, which a later handshake may resume. */
async function sessionOf(port: number, maxVersion: Version): Promise<Buffer> {
  using visitor = await handshake(port, HOST, { maxVersion });
  const early = visitor.socket.getSession();
  // In TLS 1.3, the server sends the session ticket after the handshake.
  const [[session]] = await Promise.all([
    maxVersion === 'TLSv1.3' ? once(visitor.socket, 'session') : [early],
    askOver(visitor.socket, GET),
  ]);
  return session as Buffer;
}

/** Removes the hostname that Node's client stores in a session and compares. Other clients may not compare it. */
function bare(session: Buffer): Buffer {
  const DER_SEQUENCE = 0x30;
  return session[0] === DER_SEQUENCE ? session : session.subarray(session.indexOf(HOST) + HOST.length);
}

async function statusOver(socket: TLSSocket, protocol: string, host: string): Promise<number> {
  if (protocol !== 'h2') return parseAnswer(await askOver(socket, GET.replace(HOST, host))).status;
  const session = connect(`https://${host}`, { createConnection: () => socket });
  const { status } = await answerOf(session.request({ ':path': '/' }));
  session.destroy();
  return status;
}

async function resumes(port: number, session: Buffer, maxVersion: Version): Promise<boolean> {
  using visitor = await handshake(port, HOST, { maxVersion, session });
  expect(visitor.error).toBeNull();
  return visitor.resumed;
}

describe.each<Version>(['TLSv1.2', 'TLSv1.3'])(
  'a TLS session of %s depends on the ticket keys and the name',
  (version) => {
    it('is resumed at any edge with the same keys, and at no other', async () => {
      const keys = randomBytes(48);
      await using one = await edgeOf(keys, HOST);
      await using same = await edgeOf(keys, HOST);
      await using other = await edgeOf(null, HOST);
      const session = await sessionOf(one.port, version);
      expect(await resumes(one.port, session, version)).toBe(true);
      expect(await resumes(same.port, session, version)).toBe(true);
      expect(await resumes(other.port, session, version)).toBe(false);
    });

    it('is no longer resumed once the keys are replaced', async () => {
      await using edge = await edgeOf(randomBytes(48), HOST);
      const before = await sessionOf(edge.port, version);
      const keys = randomBytes(48);
      await edge.edge.setTicketKeys(keys);
      expect(await resumes(edge.port, before, version)).toBe(false);
      const after = await sessionOf(edge.port, version);
      expect(await resumes(edge.port, after, version)).toBe(true);
      await using other = await edgeOf(keys, HOST);
      expect(await resumes(other.port, after, version)).toBe(true);
    });

    it.each(['http/1.1', 'h2'])('is resumed only for its own name, over %s', async (protocol) => {
      await using edge = await edgeOf(null, HOST, JOBS);
      const session = bare(await sessionOf(edge.port, version));
      for (const [servername, resumed, host, status] of [
        [HOST, true, HOST, 404],
        [HOST.toUpperCase(), true, JOBS, 421],
        [JOBS, false, JOBS, 404],
        [JOBS.toUpperCase(), false, HOST, 421],
      ] as const) {
        const options = { maxVersion: version, session, ALPNProtocols: [protocol] };
        using back = await handshake(edge.port, servername, options);
        expect(back).toMatchObject({ error: null, resumed, alpn: protocol });
        if (!resumed) expect(back.certificate.subjectaltname).toBe(`DNS:${JOBS}`);
        expect(await statusOver(back.socket, protocol, host)).toBe(status);
      }
    });

    it('is not resumed without a name', async () => {
      await using edge = await edgeOf(null, HOST);
      const session = bare(await sessionOf(edge.port, version));
      using back = await handshake(edge.port, '', { maxVersion: version, session });
      expect(back.error).not.toBeNull();
    });

    it('does not affect the sessions of other names', async () => {
      await using edge = await edgeOf(null, HOST, JOBS);
      const session = bare(await sessionOf(edge.port, version));
      using refused = await handshake(edge.port, JOBS, { maxVersion: version, session });
      const [own] = await Promise.all([
        version === 'TLSv1.3' ? once(refused.socket, 'session') : [refused.socket.getSession()],
        askOver(refused.socket, GET.replace(HOST, JOBS)),
      ]);
      using back = await handshake(edge.port, JOBS, { maxVersion: version, session: own[0] as Buffer });
      expect(back.resumed).toBe(true);
    });

    it('is not resumed for a deleted hostname', async () => {
      await using edge = await edgeOf(null, HOST);
      const session = await sessionOf(edge.port, version);
      using back = await handshake(edge.port, HOST, { maxVersion: version, session });
      expect(back.resumed).toBe(true);
      expect(parseAnswer(await askOver(back.socket, GET)).status).toBe(404);
    });
  },
);
