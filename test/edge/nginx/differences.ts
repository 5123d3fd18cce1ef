/** Titles of the edge's tests that fail on nginx, with the reasons. `shared/docs/deploying-edge.md` lists these differences for operators. */
export const DIFFERENCES: readonly { reason: string; titles: readonly string[] }[] = [
  {
    reason: 'nginx counts requests and does not report each one',
    titles: [
      'is reported to `onRequest` before the visitor gets the response',
      'ends its request at the origin before the response',
      'ends its request at the origin in the middle of the response',
      'ends its request at the origin, and other requests on the connection continue',
      'drops its queued request without blocking the pool',
    ],
  },
  {
    reason: 'nginx repeats a request until it has the whole head of a response',
    titles: ['causes a 502 if a part of the response had arrived'],
  },
  {
    reason: 'nginx takes an interim response for the response',
    titles: [
      'comes without the interim responses over HTTP/1.1',
      'may come after a 100 that nobody asked for, in pieces of 15 bytes',
      'may come after a 100 that nobody asked for, in pieces of 40 bytes',
      'may come after a 100 that nobody asked for, in pieces of 1000 bytes',
      'has interim responses and repeated headers, but no hop-by-hop headers of the origin',
      'with Expect gets 100 once the origin accepts it',
    ],
  },
  {
    reason: 'nginx reads a request only after the previous response',
    titles: ['comes in the order of the requests on its connection'],
  },
  {
    reason: 'nginx accepts lines that end with a line feed alone, and drops invalid headers',
    titles: [
      'bare line feeds is refused',
      'a header without a colon is refused',
      'a bare line feed before Transfer-Encoding is refused',
      'a bare line feed at the end of the head is refused',
    ],
  },
  {
    reason: "nginx accepts responses whose lines end with a line feed alone, and spaces after a chunk's size",
    titles: [
      'a response whose lines end with a line feed alone is 502',
      'a space after the size of a chunk breaks a response off',
      'a space after the size of a chunk is refused in a request',
    ],
  },
  {
    reason: 'nginx takes a method in lowercase for noise, and refuses an encoded NUL',
    titles: ['a method in lowercase is 501', 'an encoded NUL in the path reaches the origin'],
  },
  {
    reason: 'nginx 1.22 knows no trailers of HTTP/2, and refuses a host beside the authority',
    titles: [
      'with a trailer reaches the origin without it, and the connection goes on',
      'with a host that equals its authority reaches the origin',
    ],
  },
  {
    reason: 'nginx responds to HTTP/0.9 without a head',
    titles: ['HTTP/0.9 is refused', 'a request line without a version is refused'],
  },
  {
    reason: 'nginx starts a request before it reads what follows',
    titles: [
      'by resets in the same packet as their requests starts none of them',
      'sent later reaches the origin without a body: GET',
      'sent later reaches the origin without a body: HEAD',
    ],
  },
  {
    reason: 'nginx has one status for all bytes that are no HTTP',
    titles: ['a TLS handshake where HTTP should be is refused'],
  },
  {
    reason: 'nginx expects the whole header of the PROXY protocol in one packet',
    titles: ['may send its header in pieces'],
  },
  {
    reason: 'nginx does not show the pseudo-headers of HTTP/2',
    titles: [
      'with the scheme http is refused: 400',
      'with the scheme ftp is refused: 400',
      'with a pseudo-header after a header is refused: reset 1',
      'with : evil is forwarded without its harmful parts',
    ],
  },
  {
    reason: 'nginx 1.22 shows only the first value of a response header, and no control character',
    titles: [
      'if the origin sends two lengths',
      'if the origin sends a control character in a header',
      'with a control character is 502',
    ],
  },
  { reason: 'nginx closes the connection instead', titles: ['if it was sent in malformed chunks'] },
  {
    reason: 'nginx ends a connection after a response that came before the whole request body',
    titles: ['deliver an early response to the visitor, which may keep sending'],
  },
  {
    reason: 'nginx cannot choose the protocol acme-tls/1',
    titles: [
      'is answered before there is a certificate, and then the connection ends',
      'is answered beside an existing certificate, and then the connection ends',
      'fails beside another protocol',
      'the edge shows a TLS 1.2 visitor the certificate that arrived during a slow lookup of challenges',
    ],
  },
  {
    reason: 'nginx limits unfinished requests instead of connections',
    titles: [
      'may have more connections than a visitor',
      'the edge counts the connections of the visitors that a load balancer reports',
      'gets a limited number of connections, and another one once one has ended',
      'is disconnected if it pipelines too many requests',
    ],
  },
  {
    reason: 'nginx expects the PROXY protocol on all connections of a port',
    titles: ['the edge reads no second PROXY header, and no PROXY header from any other address'],
  },
  {
    reason: 'nginx waits for its own timeout',
    titles: ['the edge closes an HTTP/2 connection if its visitor does not, after a request and GOAWAY'],
  },
  {
    reason: 'nginx shows no progress of uploads',
    titles: ['loses a stream whose body trickles, and keeps the others'],
  },
  {
    reason: 'nginx reads a short body of HTTP/2 whole, so that it knows its length',
    titles: [
      'has a body without a length',
      'reaches the origin over HTTP/1.1, signed, with the headers of the domain and none of HTTP/2',
    ],
  },
  {
    reason: 'nginx passes on a body that the method or status does not allow',
    titles: ['205 has no body, whatever the origin sends', 'by a body of a HEAD affects no one else'],
  },
  {
    reason: 'nginx can only shut a connection down',
    titles: [
      'sends the reason to a request without a response yet',
      'the edge breaks off one HTTP/2 stream of a domain without a route, and keeps the session',
      'gets 408 if its headers do not end',
    ],
  },
  {
    reason: 'nginx serves a route from shared memory until it is told of a change',
    titles: ['requests continue if the origin changes or the route cannot be looked up'],
  },
  {
    reason: 'nginx has one session context for all names',
    titles: [
      'is resumed only for its own name, over http/1.1',
      'is resumed only for its own name, over h2',
      'is not resumed without a name',
    ],
  },
  {
    reason: 'the size of the cache is in bytes',
    titles: ['is evicted if it was used least recently, and loaded again on demand'],
  },
  {
    reason: 'nginx does not read a response while it waits to send the rest of a long request body',
    titles: ['of any size arrive complete, in both directions at once'],
  },
  {
    reason:
      'nginx has one timeout for a handshake and its tunnel, and sends the last bytes as long as it takes',
    titles: [
      'the edge closes an ended tunnel by HTTP if its visitor does not take the last bytes',
      'the edge closes an ended tunnel by HTTPS if its visitor does not take the last bytes',
    ],
  },
  {
    reason: 'nginx passes on the Date of the origin, and adds none',
    titles: ['has the headers of the origin without hop-by-hop headers'],
  },
  { reason: 'this tests a method of our own server', titles: ['`listen` rejects if the port is taken'] },
];
