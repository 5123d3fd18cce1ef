import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A forwarder in front of a Postgres server, which can fail like a network. */
export interface Gate extends AsyncDisposable {
  port: number;
  /** The port of the server behind the gate. A change affects only new connections. */
  target: number;
  /** Delay of each piece of data in either direction, in milliseconds. */
  latencyMs: number;
  /** If true, the gate forwards nothing and ends no connection. It accepts new connections, which get no response. */
  isSilent: boolean;
  /** Waits until a transaction whose statements `isMeant` accepts sends COMMIT, and delays this COMMIT until `release`. */
  holdCommit(isMeant: (written: string) => boolean): Promise<HeldCommit>;
  /** Ends all connections, like a restart of the network. */
  cut(): void;
}

export interface HeldCommit {
  /** Sends the COMMIT to the server. Until then, the connection to the server stays open and silent, even if the client ends. */
  release(): void;
}

interface Hold {
  isMeant(written: string): boolean;
  held(commit: HeldCommit): void;
}

/** The length of a message's header: type and length (PostgreSQL, "Message Flow"). */
const HEADER_BYTES = 5;
/** The codes of SSLRequest and GSSENCRequest. After such a request, the client sends its first message again. */
const ENCRYPTION_REQUESTS = [80877103, 80877104];

export async function openGate(target: number): Promise<Gate> {
  const holds: Hold[] = [];
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const behind = connect(gate.target, '127.0.0.1');
    const pair = [client, behind] as const;
    pairs.add(pair);
    const commits = watchCommits(behind, holds);
    const lag = async () => {
      if (gate.latencyMs > 0) await delay(gate.latencyMs);
      while (gate.isSilent && !client.destroyed) await delay(20);
    };
    pump(client, commits, lag);
    pump(behind, (data) => client.write(data), lag);
    for (const [socket, other] of [pair, [behind, client] as const]) {
      socket.on('error', () => undefined); // Its close follows.
      socket.once('close', async () => {
        // While the gate is silent, the other side must not notice that this side is gone, so its connection stays open.
        const isCut = () => gate.isSilent || (other === behind && commits.isHolding());
        while (isCut() && !other.destroyed) await delay(20);
        // Uses `end` and not `destroy`, so that the server still reads a late COMMIT.
        other.end();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: Gate = {
    port: (server.address() as AddressInfo).port,
    target,
    latencyMs: 0,
    isSilent: false,
    holdCommit: (isMeant) => new Promise((held) => holds.push({ isMeant, held })),
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      gate.isSilent = false;
      gate.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}

/** Forwards data in order, each piece after `lag`. */
async function pump(from: Socket, write: (data: Buffer) => unknown, lag: () => Promise<void>): Promise<void> {
  try {
    for await (const data of from.iterator({ destroyOnReturn: false })) {
      await lag();
      write(data as Buffer);
    }
  } catch {
    // The connection was reset. The handler of its close ends the other connection.
  }
}

/** Returns a function that writes a client's messages to the server, but delays the COMMIT of a transaction that `holdCommit` selects. */
function watchCommits(server: Socket, holds: Hold[]) {
  let rest = Buffer.alloc(0);
  let written = '';
  let isStarted = false;
  let heldBack: Buffer[] | null = null;
  const write = Object.assign(
    (data: Buffer) => {
      if (heldBack !== null) return void heldBack.push(data);
      rest = Buffer.concat([rest, data]);
      for (;;) {
        // The first message of a connection has no type.
        const headBytes = isStarted ? HEADER_BYTES : HEADER_BYTES - 1;
        if (rest.length < headBytes) return;
        const size = rest.readUInt32BE(headBytes - 4) + headBytes - 4;
        if (rest.length < size) return;
        const message = rest.subarray(0, size);
        rest = rest.subarray(size);
        isStarted ||= !ENCRYPTION_REQUESTS.includes(message.readUInt32BE(4));
        const text = message.toString('latin1', headBytes);
        if (/^(\w*\0)?(begin|start transaction)/i.test(text)) written = '';
        if (/^(\w*\0)?(commit|rollback)/i.test(text)) {
          const index = /rollback/i.test(text) ? -1 : holds.findIndex(({ isMeant }) => isMeant(written));
          written = '';
          if (index >= 0) return hold(Buffer.concat([message, rest]), holds.splice(index, 1)[0] as Hold);
        } else written += text;
        server.write(message);
      }
    },
    { isHolding: () => heldBack !== null },
  );
  function hold(from: Buffer, { held }: Hold): void {
    heldBack = [from];
    rest = Buffer.alloc(0);
    held({
      release() {
        const all = Buffer.concat(heldBack ?? []);
        heldBack = null;
        server.write(all);
      },
    });
  }
  return write;
}
