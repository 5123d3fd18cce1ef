import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program that runs the origin behind every contender of the edge benches. Prints one JSON document once it listens. */
const body = 'a'.repeat(1024);
const server = createServer((req, res) => {
  req.resume();
  res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length });
  res.end(body);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit());
