import { type ReactElement, useEffect, useState } from 'react';
import { EVENT_TYPES } from '../../../../shared/core/webhooks/event.ts';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import {
  Choice,
  CommandButton,
  CommandForm,
  TextField,
} from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { Pill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import type { Chaos } from '../../../chaos/faults.ts';
import { askEmulator, useEmulatorResource } from '../ask.ts';

const WEBHOOK_SHARES = [
  ['fail', 'fail', 'Nothing is sent.'],
  ['timeout', 'time out', 'The webhook arrives, but the response comes too late.'],
  ['duplicate', 'arrive twice', 'The same event with the same id.'],
  ['reorder', 'delivered out of order', 'An event of another domain comes first.'],
  ['bad_signature', 'have a wrong signature', 'Receivers must refuse it.'],
  ['old_signature', 'have an old signature', 'Ten minutes old, as in a replay.'],
] as const;
const API_SHARES = [
  ['rate_limited', 'are refused with 429', 'With Retry-After.'],
  ['internal_error', 'fail with 500', 'With a request id.'],
  ['slow', 'are slow', 'By the delay below.'],
] as const;

/** The texts in the form's fields by their names: shares in per cent, and durations. */
type Draft = Readonly<Record<string, string>>;

/**
 * A form for the faults that webhook receivers and API clients get. It shows no fields until the current faults are loaded, because loading
 * overwrites typed values.
 */
export function ChaosForm(): ReactElement | null {
  const { value } = useEmulatorResource<Chaos>('/chaos');
  return value === null ? null : <ChaosFields value={value} />;
}

function ChaosFields({ value }: { value: Chaos }): ReactElement {
  const [draft, setDraft] = useState<Draft>(toDraft(value));
  const given = JSON.stringify(value);
  // When a command or a test has changed the faults, show the new values. Until then, keep what the user has typed.
  useEffect(() => setDraft(toDraft(JSON.parse(given) as Chaos)), [given]);
  const isOn = Object.keys(sharesOf(value)).length > 0 || value.delay_ms > 0 || value.skew_ms !== 0;

  async function set(): Promise<string> {
    await askEmulator('PUT /chaos', toInput(draft));
    return 'Faults set.';
  }

  const change = (name: string) => (typed: string) => setDraft({ ...draft, [name]: typed });
  const share = ([name, word, more]: readonly [string, string, string]) => (
    <label className="share" title={more} key={name}>
      <input
        type="number"
        min={0}
        max={100}
        step="any"
        placeholder="0"
        value={draft[name] ?? ''}
        onChange={({ target }) => change(name)(target.value)}
      />
      <span>
        % {word}
        <span className="muted share-more"> {more}</span>
      </span>
    </label>
  );
  const text = (name: string, label: string, placeholder: string) => (
    <TextField
      label={label}
      value={draft[name] ?? ''}
      placeholder={placeholder}
      onChange={({ target }) => change(name)(target.value)}
    />
  );

  return (
    <Section title="Chaos" aside={isOn ? <Pill tone="bad">on</Pill> : <Pill tone="quiet">off</Pill>}>
      <CommandForm
        look="chaos"
        submit="Set"
        work={set}
        beside={
          <>
            <CommandButton work={hostile}>Hostile day</CommandButton>
            <CommandButton work={end}>End all faults</CommandButton>
          </>
        }
      >
        <fieldset>
          <legend>Share of webhook attempts</legend>
          {WEBHOOK_SHARES.map(share)}
        </fieldset>
        <fieldset>
          <legend>Share of API requests</legend>
          {API_SHARES.map(share)}
        </fieldset>
        <div className="grid">
          {text('delay', 'Webhook delay', 'none, or 2s')}
          {text('skew', 'Timestamp skew', 'none, or -10m')}
          {text('api_delay', 'Delay of slow requests', '1s')}
          <Choice
            label="Only events of type"
            value={draft['type'] ?? ''}
            options={[['', 'every type'], ...EVENT_TYPES]}
            onText={change('type')}
          />
          {text('domain', 'Only domains', 'every domain')}
          {text('seed', 'Seed', '1')}
        </div>
      </CommandForm>
    </Section>
  );
}

async function hostile(): Promise<string> {
  await askEmulator('PUT /chaos', { preset: 'hostile' });
  return 'Hostile day set: receivers meet every fault, and every event still arrives in the end.';
}

async function end(): Promise<string> {
  await askEmulator('PUT /chaos', {});
  return 'All faults ended.';
}

function sharesOf(chaos: Chaos): Record<string, string> {
  const named = [
    ...WEBHOOK_SHARES.map(([name]) => [name, chaos[name]] as const),
    ...API_SHARES.map(([name]) => [name, chaos.api[name]] as const),
  ];
  const set = named.filter(([, share]) => share > 0);
  return Object.fromEntries(set.map(([name, share]) => [name, String(Math.round(share * 10_000) / 100)]));
}

function toDraft(chaos: Chaos): Draft {
  const time = (ms: number) => {
    if (ms === 0) return '';
    return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
  };
  return {
    ...sharesOf(chaos),
    delay: time(chaos.delay_ms),
    skew: time(chaos.skew_ms),
    api_delay: time(chaos.api.delay_ms),
    type: chaos.types?.[0] ?? '',
    domain: chaos.domains?.join(', ') ?? '',
    seed: String(chaos.seed),
  };
}

function toInput(draft: Draft): object {
  const part = (names: readonly (readonly [string, string, string])[]) =>
    Object.fromEntries(names.flatMap(([name]) => (draft[name] ? [[name, Number(draft[name]) / 100]] : [])));
  const { delay, skew, api_delay: apiDelay, type, domain = '', seed } = draft;
  const domains = domain.split(/[\s,]+/).filter(Boolean);
  const api = { ...part(API_SHARES), ...(apiDelay && { delay: apiDelay.trim() }) };
  return {
    ...part(WEBHOOK_SHARES),
    ...(delay && { delay: delay.trim() }),
    ...(skew && { skew: skew.trim() }),
    ...(type && { types: [type] }),
    ...(domains.length > 0 && { domains }),
    ...(Object.keys(api).length > 0 && { api }),
    ...(seed && { seed: Number(seed) }),
  };
}
