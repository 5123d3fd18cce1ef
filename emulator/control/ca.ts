import type { ControlAction } from './action.ts';

/** The certificate authority of the edge's HTTPS, and where it is kept. */
export const getCa: ControlAction = async ({ ca }) => ({ certificate: ca.certificate, file: ca.file });

/** The same for programs that want a file. */
export const getCaPem: ControlAction = async ({ ca }) =>
  new Response(ca.certificate, {
    headers: { 'content-type': 'application/pem-certificate-chain', 'cache-control': 'no-store' },
  });
