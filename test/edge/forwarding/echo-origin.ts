import { type OriginUnderTest, originWith } from '../edge-under-test.ts';

/** Starts an origin that responds with the request that it received, as JSON, with one character for each byte. */
export function echoOrigin(): Promise<OriginUnderTest> {
  return originWith((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method, url, headers, rawHeaders } = req;
      const got = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString('latin1') };
      res.end(JSON.stringify(got), 'latin1');
    });
  });
}
