import type { ReactElement } from 'react';
import type { DomainResource } from '../../../schema/domain.ts';
import { DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { go } from '../router.ts';
import { askApi, useScope, useViewPath } from '../scope.ts';
import { RequestError } from '../send.ts';

/** Deletes a domain after its hostname was typed. */
export function DeleteDomain({ of: { id, hostname, mode } }: { of: DomainResource }): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();

  async function remove({ typed = '' }: FormFields): Promise<string> {
    if (typed.toLowerCase() !== hostname) {
      throw new RequestError(0, 'not_confirmed', `This is not ${hostname}.`, 'Type the hostname in full.');
    }
    await askApi(scope, `DELETE /domains/${encodeURIComponent(id)}`);
    go(viewPath('domains'));
    return `Deleted ${hostname}.`;
  }

  return (
    <DialogForm
      word="Delete…"
      opener={{ className: 'bad-text' }}
      title={`Delete ${hostname} from ${mode} mode?`}
      submit={`Delete ${mode} domain`}
      danger
      work={remove}
    >
      <p>
        {mode === 'live'
          ? 'Visitors can no longer reach it within 5 seconds. Its certificate is deleted too.'
          : 'The test domain and its certificate are deleted.'}
      </p>
      <TextField label={`Type ${hostname} to confirm`} name="typed" data-first="" required />
    </DialogForm>
  );
}
