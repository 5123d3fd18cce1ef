import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { TextStream } from '../settings/world.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpOptions } from './on-target.ts';

/**
 * Serves the tools over stdin and stdout until stdin ends. Requests under way are then aborted.
 * @param onInvalid called for input that is not a message of the protocol.
 */
export async function serveMcp(options: McpOptions, onInvalid: () => void): Promise<void> {
  const { stdin, stdout } = options.world;
  const transport = new EndingTransport(stdin, writableOf(stdout));
  // The library calls the factory once for a connection, and again if the client first asks which versions there are.
  serveStdio(() => createMcpServer(options), { transport, onerror: onInvalid });
  await transport.ended;
}

/** Resolves `ended` when it closes: at the end of stdin, or after a message that is too long. */
class EndingTransport extends StdioServerTransport {
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#end.resolve();
  }
}

function writableOf(stream: TextStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      stream.write(text);
      done();
    },
  });
}
