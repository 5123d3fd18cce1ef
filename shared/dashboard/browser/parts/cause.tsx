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

/** Shows a cause in words with its code, what to do, and the changes to records. @param children what happens next. */
export function CauseBox({
  of: { code, expected, found, hint, changes = [] },
  tone,
  icon,
  children,
}: {
  of: Cause;
  tone: Tone;
  icon: IconName;
  children?: ReactNode;
}): ReactElement {
  const { session } = useScope();
  const reason = isReasonCode(code) ? REASONS[code] : null;
  return (
    <section className={`cause ${tone}`} aria-label="Cause">
      <header>
        <Icon name={icon} />
        <div>
          <h3>{reason?.title ?? code}</h3>
          {reason === null ? null : <p>{reason.meaning}</p>}
        </div>
        <span className="code-of">
          <OutLink href={`${session.docs_url}/reasons/${code}`}>{code}</OutLink>
        </span>
      </header>
      <div className="in">
        {changes[0] === undefined ? (
          <>
            <p className="what">{hint}</p>
            <FoundRecord expected={expected} found={found} />
          </>
        ) : (
          <>
            <p className="what">
              Your customer makes {changes.length === 1 ? 'this change' : 'these changes'} where{' '}
              {changes[0].zone} is managed.
            </p>
            {changes.map((change) => (
              <ChangeRecord key={JSON.stringify(change)} of={change} />
            ))}
            <p className="small">{hint}</p>
          </>
        )}
        {children}
      </div>
    </section>
  );
}

/** Shows a change to a record as rows: the record, the old value, and the new value with a button that copies it. */
function ChangeRecord({ of }: { of: RecordChange }): ReactElement {
  const { action, type, zone, name, value, of: old } = of;
  const removed = action === 'remove' ? { type, value } : old;
  return (
    <dl className="record">
      <RecordRow name="Type">
        <code>{type}</code>
      </RecordRow>
      <RecordRow name="Name" copied={name} what="the name of the record to change">
        <code>{name}</code>{' '}
        <span className="muted small">{name === '@' ? `stands for ${zone} itself` : `in ${zone}`}</span>
      </RecordRow>
      {removed === null ? null : (
        <RecordRow name={action === 'remove' ? 'Delete' : 'Replace'} look="old">
          <code>{removed.type === type ? removed.value : `${removed.type} ${removed.value}`}</code>
        </RecordRow>
      )}
      {action === 'remove' ? null : (
        <RecordRow
          name={action === 'add' ? 'Add' : 'with'}
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

/** Shows what a check expected and found, if no change to records is known. */
function FoundRecord({ expected, found }: Pick<Cause, 'expected' | 'found'>): ReactElement {
  return (
    <dl className="record">
      <RecordRow name="Expected">{expected}</RecordRow>
      {found === null ? null : (
        <RecordRow name="Found">
          <code>{found}</code>
        </RecordRow>
      )}
    </dl>
  );
}

/** A row of a record. @param copied the text that its button copies. @param what the name of this text. */
export function RecordRow({
  name,
  look,
  copied,
  what = '',
  children,
}: {
  name: string;
  look?: 'old' | 'new';
  copied?: string;
  what?: string;
  children: ReactNode;
}): ReactElement {
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
