import { string } from '@oclif/core/flags';
import { APEX_REDIRECTS } from '../../shared/core/domains/status.ts';
import type { UpdateDomain } from '../../shared/schema/domain.ts';
import { pairs } from '../output/pairs.ts';

/** What can be set on a domain, when it is added and later. */
export const domainFlags = {
  origin: string({ summary: "Forward here and not to the app's origin", helpValue: '<url>' }),
  metadata: string({
    summary: 'A value of your own, repeatable',
    helpValue: 'name=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
  header: string({
    summary: 'A header for the origin, repeatable',
    helpValue: 'X-Name=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'apex-redirect': string({ summary: 'Also serve www and redirect it', options: APEX_REDIRECTS }),
};

/** The fields of a request's body for the flags that were given. */
export function domainBody(flags: {
  origin?: string | undefined;
  metadata?: string[] | undefined;
  header?: string[] | undefined;
  'apex-redirect'?: string | undefined;
}): UpdateDomain {
  const apex_redirect = APEX_REDIRECTS.find((value) => value === flags['apex-redirect']);
  return {
    ...(flags.origin !== undefined && { origin: flags.origin }),
    ...(flags.metadata && { metadata: pairs(flags.metadata, '--metadata') }),
    ...(flags.header && { origin_headers: pairs(flags.header, '--header') }),
    ...(apex_redirect !== undefined && { apex_redirect }),
  };
}
