import { string } from '@oclif/core/flags';
import { APEX_REDIRECTS } from '../../shared/core/domains/status.ts';
import type { UpdateDomain } from '../../shared/schema/domain.ts';
import { pairs } from '../output/pairs.ts';

/** Flags for the fields that `domains add` and `domains update` can set. */
export const domainFlags = {
  origin: string({ summary: "Forward here instead of to the app's origin", helpValue: '<url>' }),
  metadata: string({
    summary: 'A metadata value, repeatable',
    helpValue: 'name=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
  header: string({
    summary: 'A header to send to the origin, repeatable',
    helpValue: 'X-Name=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'apex-redirect': string({ summary: 'Also serve www and redirect it', options: APEX_REDIRECTS }),
};

/** Returns the request body's fields for the flags that were given. */
export function domainBody(flags: {
  origin?: string | undefined;
  metadata?: string[] | undefined;
  header?: string[] | undefined;
  'apex-redirect'?: string | undefined;
}): UpdateDomain {
  const apexRedirect = APEX_REDIRECTS.find((value) => value === flags['apex-redirect']);
  return {
    ...(flags.origin !== undefined && { origin: flags.origin }),
    ...(flags.metadata && { metadata: pairs(flags.metadata, '--metadata') }),
    ...(flags.header && { origin_headers: pairs(flags.header, '--header') }),
    ...(apexRedirect !== undefined && { apex_redirect: apexRedirect }),
  };
}
