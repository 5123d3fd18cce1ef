import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { IconName } from '../../../core/look/icons.ts';
import type { Tone } from '../../../core/look/status-look.ts';
import { isReasonCode, REASONS } from '../../../core/reasons.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import { useScope } from '../scope.ts';
import { CopyTextButton } from './copy-text.tsx';
import { OutLink } from './link.tsx';

type Finding = Diagnosis['findings'][number];
type RecordChange = Finding['changes'][number];

/** Why a domain does not work, or may stop working: a finding, or the reason of the domain's status. */
export type Cause = Pick<Finding, 'code' | 'expected' | 'found' | 'hint'> & {
  changes?: readonly RecordChange[] | undefined;
};

/** Returns the words for a reason, or its code if this version does not know it. */
export function reasonText(code: string | null): string {
  if (code === null) return 'Not reachable';
  return isReasonCode(code) ? REASONS[code].title : code;
}

/** Shows a cause in words with its code, what to do, and the changes to records. @param input.children what happens next. */
export function CauseBox(input: {
  of: Cause;
  tone: Tone;
  icon: IconName;
  children?: ReactNode;
}): ReactElement {
  const { session } = useScope();
  const { code, expected, found, hint, changes = [] } = input.of;
  const zone = changes[0]?.zone;
  return (
    <section className={`cause ${input.tone}`} aria-label="Cause">
      <header>
        <Icon name={input.icon} />
        <div>
          <h2>{reasonText(code)}</h2>
          {isReasonCode(code) ? <p>{REASONS[code].meaning}</p> : null}
        </div>
        <span className="code-of">
          <OutLink href={`${session.docs_url}/reasons/${code}`}>{code}</OutLink>
        </span>
      </header>
      <div className="in">
        {zone === undefined ? null : (
          <p className="what">
            Your customer makes {changes.length === 1 ? 'this change' : 'these changes'} where {zone} is
            managed.
          </p>
        )}
        {changes.map((change) => (
          <ChangeRecord key={JSON.stringify(change)} of={change} />
        ))}
        <p className={zone === undefined ? 'what' : 'small'}>{hint}</p>
        {zone === undefined ? (
          <dl className="record">
            <RecordRow name="Expected">{expected}</RecordRow>
            {found === null ? null : (
              <RecordRow name="Found">
                <code>{found}</code>
              </RecordRow>
            )}
          </dl>
        ) : null}
        {input.children}
      </div>
    </section>
  );
}

/** Shows a change to a record as rows: the record, the old value, and the new value with a button that copies it. */
function ChangeRecord({ of }: { of: RecordChange }): ReactElement {
  const { action, type, zone, name, value } = of;
  const old = action === 'remove' ? { type, value } : of.of;
  return (
    <dl className="record">
      <RecordRow name="Type">
        <code>{type}</code>
      </RecordRow>
      <RecordRow name="Name" copied={name} what="the name of the record to change">
        <code>{name}</code>{' '}
        <span className="muted small">{name === '@' ? `stands for ${zone} itself` : `in ${zone}`}</span>
      </RecordRow>
      {old === null ? null : (
        <RecordRow name={action === 'remove' ? 'Delete' : 'Replace'} look="old">
          <code>{old.type === type ? old.value : `${old.type} ${old.value}`}</code>
        </RecordRow>
      )}
      {action === 'remove' ? null : (
        <RecordRow
          name={old === null ? 'Add' : 'with'}
          look="new"
          copied={value}
          what="the new value of the record"
        >
          <code>{value}</code>
        </RecordRow>
      )}
    </dl>
  );
}

/** A row of a record. @param input.copied the text that its button copies. @param input.what the name of this text. */
export function RecordRow(input: {
  name: string;
  look?: 'old' | 'new';
  copied?: string;
  what?: string;
  children: ReactNode;
}): ReactElement {
  const { name, look, copied, what = '', children } = input;
  return (
    <div className={look}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {copied === undefined ? null : (
        <dd>
          <CopyTextButton text={copied} what={what} word="Copy" />
        </dd>
      )}
    </div>
  );
}
