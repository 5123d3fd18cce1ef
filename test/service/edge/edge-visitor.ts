import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

/** The response that a visitor gets over HTTPS. */
export interface Visit {
  status: number;
  body: string;
  location: string | undefined;
  /** Subject alternative names of the certificate. */
  names: string;
  serial: string;
  public_key: string;
}

/** A visitor that trusts one CA. With `keep`, the visitor reuses connections. Otherwise, each request opens a new connection. */
export interface EdgeVisitor extends Disposable {
  visit(hostname: string, path?: string): Promise<Visit>;
}

export function edgeVisitor(
  edge: { host: string; port: number },
  ca: string,
  { keep = false }: { keep?: boolean } = {},
): EdgeVisitor {
  const agents = new Map<string, Agent>();
  const agentOf = (hostname: string) => {
    // Without a session cache, each new connection does a full handshake.
    const agent = agents.get(hostname) ?? new Agent({ keepAlive: keep, maxSockets: 1, maxCachedSessions: 0 });
    agents.set(hostname, agent);
    return agent;
  };
  return {
    visit(hostname, path = '/') {
      const { promise, resolve, reject } = Promise.withResolvers<Visit>();
      const headers = { Host: hostname };
      const asked = request({ ...edge, path, servername: hostname, headers, ca, agent: agentOf(hostname) });
      asked.on('response', async (answer) => {
        const { subjectaltname, serialNumber, pubkey } = (answer.socket as TLSSocket).getPeerCertificate();
        resolve({
          status: answer.statusCode ?? 0,
          body: await text(answer),
          location: answer.headers.location,
          names: subjectaltname ?? '',
          serial: serialNumber,
          public_key: pubkey?.toString('base64') ?? '',
        });
      });
      asked.on('error', reject);
      asked.end();
      return promise;
    },
    [Symbol.dispose]() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
