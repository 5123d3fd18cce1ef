import { type ChangedDomain, updateDomainSchema } from '../../shared/schema/domain.ts';
import type { Output } from '../output/output.ts';
import { plainText, shellQuote } from '../output/plain-text.ts';
import { fieldFlags } from './field-flags.ts';

/** Flags for the fields of a domain. `domains add` has only the flags that set a field. `domains update` also has the flags that clear a field. */
export const domainFields = fieldFlags(updateDomainSchema, {
  origin: {
    summary: "Forward here instead of to the app's origin",
    helpValue: '<url>',
    clear: "Forward to the app's origin again",
  },
  metadata: {
    summary: 'A metadata value, repeatable',
    helpValue: 'name=value',
    clear: 'Remove the metadata',
  },
  origin_headers: {
    flag: 'header',
    summary: 'A header to send to the origin, repeatable',
    helpValue: 'X-Name=value',
    clear: 'Remove the headers',
    clears: 'headers',
  },
  apex_redirect: { summary: 'Also serve www and redirect it' },
});

/** Prints the API's warnings about ignored fields on stderr. @param flags the flags that were given. */
export function noteWarnings(
  { hostname, warnings = [] }: ChangedDomain,
  flags: object,
  output: Output,
): void {
  const given = Object.keys(domainFields.set).filter((name) => Object.hasOwn(flags, name));
  const update = `${shellQuote(['nameplate', 'domains', 'update', hostname])}${given.map((name) => ` --${name} …`).join('')}`;
  for (const { code, message } of warnings) {
    const text = plainText(message).replace('PATCH /v1/domains/{id}', update);
    output.note(output.paint('yellow', `Warning: ${text} (${plainText(code)})`));
  }
}
