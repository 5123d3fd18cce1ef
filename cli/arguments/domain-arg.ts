import { string } from '@oclif/core/args';

/** The argument of commands that work on one domain. */
export const domainArg = {
  domain: string({ description: 'Hostname or id of the domain', required: true }),
};

/** The arguments of commands that work on one domain or more. */
export const domainsArg = {
  domain: string({ description: 'Hostnames or ids of the domains', required: true, multiple: true }),
};
