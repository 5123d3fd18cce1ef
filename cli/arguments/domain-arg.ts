import { string } from '@oclif/core/args';

/** The argument of commands that work on one domain. */
export const domainArg = {
  domain: string({ description: 'Hostname or id of the domain', required: true }),
};
