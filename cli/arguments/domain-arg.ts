import { string } from '@oclif/core/args';

/** The argument of commands on one domain. */
export const domainArg = {
  domain: string({ description: 'Its hostname or its id', required: true }),
};
