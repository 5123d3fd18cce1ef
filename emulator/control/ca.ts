import type { ControlAction } from './action.ts';

/** The certificate authority of the edge's HTTPS, where it is kept, and the edge. */
export const getCa: ControlAction = async ({ ca, urls }) => ({
  certificate: ca.certificate,
  file: ca.file,
  edge_url: urls.edge_url,
});

/** The same for programs that want a file. */
export const getCaPem: ControlAction = async ({ ca }) =>
  new Response(ca.certificate, {
    headers: { 'content-type': 'application/pem-certificate-chain', 'cache-control': 'no-store' },
  });
