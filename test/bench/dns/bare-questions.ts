import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import packet from 'dns-packet';

/**
 * Queries each resolver for the A records of each name, over one socket for each resolver. Reads only the ids of the responses, so no DNS
 * client can be cheaper.
 */
export async function bareQuestions(
  resolvers: readonly string[],
  names: readonly string[],
  sideBySide: number,
): Promise<void> {
  const clients = await Promise.all(resolvers.map(openClient));
  const left = names.values();
  const worker = async () => {
    for (const name of left) await Promise.all(clients.map((client) => client.ask(name)));
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  for (const { socket } of clients) socket.close();
}

interface Client {
  socket: Socket;
  ask(name: string): Promise<void>;
}

async function openClient(address: string): Promise<Client> {
  const [ip = '', port] = address.split(':');
  const socket = createSocket('udp4');
  const waiting = new Map<number, () => void>();
  let lastId = 0;
  socket.on('message', (bytes) => {
    const { id = -1 } = packet.decode(bytes);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  socket.connect(Number(port), ip);
  await once(socket, 'connect');
  return {
    socket,
    ask(name) {
      lastId = (lastId + 1) % 65_536;
      const id = lastId;
      const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
      const flags = packet.RECURSION_DESIRED;
      socket.send(packet.encode({ type: 'query', id, flags, questions: [{ name, type: 'A' }] }));
      return answered;
    },
  };
}
