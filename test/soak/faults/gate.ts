import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A forwarder in front of a Postgres server, which can fail like a network. */
export interface Gate extends AsyncDisposable {
  port: number;
  /** Port of the server behind the gate. A change applies to new connections. */
  target: number;
  /** Delay of each piece of data in either direction, in milliseconds. */
  latencyMs: number;
  /** If true, nothing passes any more, and no connection ends. New connections are accepted and get no response. */
  isSilent: boolean;
  /** Resolves when a transaction that has written what `isMeant` accepts is about to commit. Its COMMIT is held back from then on. */
  holdCommit(isMeant: (written: string) => boolean): Promise<HeldCommit>;
  /** Ends all connections, like a restart of the network. */
  cut(): void;
}

export interface HeldCommit {
  /** Sends the COMMIT to the server, however late. Until then, the connection to the server stays open and silent, even if the client ends. */
  release(): void;
}

interface Hold {
  isMeant(written: string): boolean;
  held(commit: HeldCommit): void;
}

/** Length of a message header: type and length (PostgreSQL, "Message Flow"). */
const HEADER_BYTES = 5;
/** Codes of SSLRequest and GSSENCRequest, after which the client sends its first message again. */
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
        // A silent network does not tell the other side that a machine is gone.
        const isCut = () => gate.isSilent || (other === behind && commits.isHolding());
        while (isCut() && !other.destroyed) await delay(20);
        // The server still reads a COMMIT that arrives late.
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

/** Passes data on in order, each piece after `lag`. */
async function pump(from: Socket, write: (data: Buffer) => unknown, lag: () => Promise<void>): Promise<void> {
  try {
    for await (const data of from.iterator({ destroyOnReturn: false })) {
      await lag();
      write(data as Buffer);
    }
  } catch {
    // The connection was reset. Its close ends the other one.
  }
}

/** Returns a function that writes a client's messages to the server, but holds back the COMMIT of a transaction that a hold is meant for. */
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
        // The first message has no type.
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
