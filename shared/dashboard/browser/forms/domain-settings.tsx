import type { ReactElement } from 'react';
import type { ChangedDomain, DomainResource } from '../../../schema/domain.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { askApi, planIncludes, useCan, useScope, useViewPath } from '../scope.ts';
import { RequestError } from '../send.ts';
import { SettingForm } from './setting-form.tsx';

/** Shows the fields of a domain that a developer can change: its own origin, and its metadata. */
export function DomainSettings({ of: domain }: { of: DomainResource }): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();
  const mayChange = useCan('developer');
  const hasOrigins = planIncludes(scope.account, 'per_domain_origin');

  async function change(field: 'origin' | 'metadata', value: unknown, expected: unknown): Promise<string> {
    const body = { [field]: value, expected: { [field]: expected } };
    const call = `PATCH /domains/${encodeURIComponent(domain.id)}`;
    const { warnings } = await askApi<ChangedDomain>(scope, call, body);
    return warnings?.[0]?.message ?? 'Saved.';
  }

  return (
    <Section title="Settings">
      <SettingForm
        label="Origin of this domain alone"
        field="origin"
        value={domain.origin}
        placeholder="https://careers.example.com"
        clearable
        mayChange={mayChange && hasOrigins}
        save={(value, expected) => change('origin', value, expected)}
        hint={
          hasOrigins ? (
            <p className="muted">
              Without it, requests go to <Link href={viewPath('app')}>the origin of the app</Link>.
            </p>
          ) : (
            <p className="muted">
              Your plan does not include an origin for each domain.{' '}
              <Link href={viewPath('plan')}>Compare the plans</Link>
            </p>
          )
        }
      />
      <SettingForm
        label="Metadata, a JSON object that each event of the domain repeats"
        field="metadata"
        value={metadataText(domain.metadata)}
        asText={metadataText}
        placeholder={'{ "customer": "42" }'}
        rows={4}
        maxLength={METADATA_CHARS_MAX}
        clearable
        mayChange={mayChange}
        save={async (text, expected) => change('metadata', parseText(text), parseText(expected))}
      />
    </Section>
  );
}

/** Maximum length of the text. The server accepts 4 KB without spaces, so this leaves room for the indentation. */
const METADATA_CHARS_MAX = 16_384;

function metadataText(metadata: unknown): string | null {
  return metadata === null || metadata === undefined ? null : JSON.stringify(metadata, null, 2);
}

/** @throws RequestError if the text is not JSON. */
function parseText(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(0, 'no_json', 'This is not JSON.', 'Put names and texts in double quotes.');
  }
}
