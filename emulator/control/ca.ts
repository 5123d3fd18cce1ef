import type { ControlAction } from './action.ts';

/** Returns the certificate authority of the edge's HTTPS, its file, and the URL of the edge. */
export const getCa: ControlAction = async ({ ca, urls }) => ({
  certificate: ca.certificate,
  file: ca.file,
  edge_url: urls.edgeUrl,
});

/** Returns the certificate of the authority as a PEM file. */
export const getCaPem: ControlAction = async ({ ca }) =>
  new Response(ca.certificate, {
    headers: { 'content-type': 'application/pem-certificate-chain', 'cache-control': 'no-store' },
  });
