import { once } from 'node:events';
import { connect } from 'node:tls';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { CONTENDERS, type Contender, ENGINES, PEERS, startContenders } from './edge-contenders.ts';

const ROUNDS = 5;
const HANDSHAKES = 1_500;
/** After this number of handshakes, V8 has compiled the code of a connection. */
const WARM_UP_HANDSHAKES = 8_000;
const CLIENTS = 8;
/** Each engine must reach at least this multiple of Caddy's handshakes per CPU second. */
const TARGETS = { edge: 1, 'edge on nginx': 1.2 };

/** Measures full TLS 1.3 handshakes per CPU second, with the certificate in memory and no session resumed. */
export async function edgeHandshakes(): Promise<BenchRow[]> {
  const { hostname, servers, stop } = await startContenders();
  try {
    const names = CONTENDERS.filter((name) => servers[name]);
    const run = (name: Contender, handshakes: number) => async (): Promise<number> => {
      const server = servers[name];
      if (!server) throw new Error(`${name} does not run`);
      const beforeMs = server.cpuMs();
      let left = handshakes;
      const client = async () => {
        while (left-- > 0) await handshake(server.port, hostname);
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return (handshakes / (server.cpuMs() - beforeMs)) * 1000;
    };
    for (const name of names) await run(name, WARM_UP_HANDSHAKES)();
    const samples = await interleave<string, number>(
      ROUNDS,
      Object.fromEntries(names.map((name) => [name, run(name, HANDSHAKES)])),
    );
    const of = (name: string) => median(samples[name] ?? []);
    return ENGINES.filter((engine) => servers[engine]).flatMap((engine) =>
      PEERS.filter((peer) => servers[peer]).map((peer) => {
        const [value, floor] = [of(engine), of(peer)];
        const share = TARGETS[engine];
        return {
          name: `${engine}, full handshakes per CPU second, against ${peer}`,
          unit: '',
          value,
          floor,
          target: peer === 'caddy' ? { text: `${share} of it`, isMet: value >= share * floor } : null,
        };
      }),
    );
  } finally {
    await stop();
  }
}

/** Makes one full TLS handshake. @throws Error if the handshake fails or resumes a session. */
async function handshake(port: number, servername: string): Promise<void> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    // Not all contenders support the hybrid key exchange with ML-KEM yet.
    ecdhCurve: 'X25519',
    ALPNProtocols: ['http/1.1'],
  });
  await once(socket, 'secureConnect');
  const resumed = socket.isSessionReused();
  // Ends the socket instead of destroying it, so that the client still sends its Finished message and completes the handshake.
  socket.resume().end();
  await once(socket, 'close');
  if (resumed) throw new Error('the session was resumed');
}
