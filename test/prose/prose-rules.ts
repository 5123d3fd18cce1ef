import type { Passage } from './read-prose.ts';

/** A rule that a machine can check in one sentence of prose. */
export interface ProseRule {
  /** The kind of prose to which the rule applies; by default all. A title comes with its groups: `a lock › is released`. */
  kind?: Passage['kind'];
  /** Returns the part of the sentence that breaks the rule, or null. @param sentence plain text, in which inline code is one word. */
  broken: (sentence: string) => string | null;
  /** Sentences that break the rule, which prove that the rule can fail. */
  breaches: readonly string[];
  /** Similar sentences that the rule allows. */
  allowed: readonly string[];
}

const WORDS_MAX = 30;

/** Our private words, each with the common word in software. */
const FIELD_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\blook-ups?\b/i, 'lookup'],
  [/\btime-outs?\b/i, 'timeout'],
  [/\bset-ups?\b/i, 'setup'],
  [/\be-mails?\b/i, 'email'],
  [/\bway of a request\b|\bfar probes?\b/i, 'request pipeline, background probe'],
  [/\broads? out\b|\bthe road\b/i, 'outbound client'],
  [/\bstumbled\b/i, 'retryTransient, or what happened'],
  [/\bdeeds?\b/i, 'command'],
  [/\b(?:mended|anew|whomever|whence|thereof)\b/i, 'plain modern English'],
];

/** First words that invert a sentence. */
const OPENERS = [
  /^(?:Whoever|Whatever|Nobody|None|Who)\b/,
  /^Of (?:these|the others|those|them|an?|the|all|both|each)\b/,
  /^(?:In place of|Beside (?:it|them|that|those)|As above|The same\b\.?$)/,
  /^What (?:is|are|was|were|has|have|had|no|an?|the|it|they|we|you|must|can|may|does|do|did|of|settings?|stands?|comes?|follows?|nobody)\b/,
  /^Where (?:it|they|the|an?|no|nothing|nobody|there|this|that|we|you)\b/,
];

/** Verbs with which a test title may begin. A verb that is also a plural noun is in the set only if no title begins with the noun. */
const TITLE_VERBS = new Set(
  `aborts accepts activates adds allows animates announces appends applies are arrives asks becomes begins binds blames breaks brings caches
  calls can cancels cannot caps causes chooses classifies closes collapses comes compares completes confirms consists contains continues copies
  costs covers creates cuts declares decodes delays deletes delivers derives describes detects diagnoses discards disconnects distinguishes does
  drains draws drops emits encodes erases escapes estimates exists exits expires explains fails fills finds finishes fits flaps flushes follows
  forbids forces forgets forwards frees gets gives goes grants handles happens has hashes hides ignores inserts is issues iterates joins keeps
  knows lasts leads leaves lets listens loads looks loses makes marks may mentions migrates misses moves must needs negotiates never notifies
  obtains offers opens parses passes pauses polls prefers prevents prints probes quotes reaches recognizes reconnects redelivers refers refuses
  registers reissues rejects releases remembers removes renders renews repeats replaces replays reports requires resolves respects responds
  restarts restores resumes retries returns reveals runs says schedules searches selects sends separates serves sets shortens shows shuts signs
  skips sorts speaks starts stays stops stores strikes succeeds suggests sums supports survives takes tells throws treats tries truncates trusts
  turns types unlocks uses varies verifies waits walks warns widens works wraps yields`.split(/\s+/),
);

const FINITE_VERB =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|may|must|will|need|needs|stands?|counts?|returns?|becomes?|changes?|runs?|works?|ends?)\b/;

export const PROSE_RULES: Readonly<Record<string, ProseRule>> = {
  'a sentence has at most 30 words': {
    broken: (sentence) => {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      return words > WORDS_MAX ? `${words} words` : null;
    },
    breaches: [`${'word '.repeat(31)}.`],
    allowed: [`${'word '.repeat(30)}.`],
  },
  'a thing is called by the word of the field': {
    broken: (sentence) => {
      const found = FIELD_WORDS.find(([word]) => word.test(sentence));
      return found === undefined ? null : `write “${found[1]}” for “${found[0].exec(sentence)?.[0]}”`;
    },
    breaches: [
      'The look-up of an origin has no place in a transaction; a domain that is there already ignores it.',
      'A time-out of 10 s.',
      'The set-up of a zone.',
      'An e-mail goes out.',
      'The far probe runs hourly.',
      'The road out is guarded.',
      'A wait that is said anew each minute is told after a day.',
    ],
    allowed: ['The lookup times out after 10 s.', 'Set up the zone.', 'Restart the roadmap.'],
  },
  'a sentence starts with its subject or its condition': {
    broken: (sentence) => {
      // A question may start with its question word.
      if (sentence.endsWith('?')) return null;
      return OPENERS.map((opener) => opener.exec(sentence)?.[0]).find((found) => found !== undefined) ?? null;
    },
    breaches: [
      'Who is slower has lost the job to another worker, and writes nothing.',
      'What is there already is answered with, whatever speaks against a new one.',
      "What no id looks like is nobody's, and need not come near the database.",
      'Whoever has none starts the sooner.',
      'Beside it the reason it is broken for; of the others a check ends it.',
      'Nobody answers there: tried again until somebody does.',
      "What settings a node was started with, its operator's commands need as well.",
      'Of these.',
      'The same.',
      'As above.',
      'In place of a mail server.',
      'Where it is taken, the next one is tried.',
      'None waits: the API answers as it is.',
    ],
    allowed: [
      'A handler that outlives its lease loses the job to another worker.',
      'Where do visitors come from?',
      'If nothing is listening, the command retries.',
      'The same key opens both.',
    ],
  },
  'a sentence names its noun again': {
    broken: (sentence) =>
      /^(?:Those|Th(?:at|ese) of|One of (?:them|these|those)|The others? of)\b/.exec(sentence)?.[0] ?? null,
    breaches: [
      'Those that have the feature.',
      'That of an emulator can be moved.',
      'One of them is a spare.',
      'One of those is enough.',
      'The other of the two waits.',
    ],
    allowed: ['These limits are in code.', 'That origin is not ours.', 'One of three resolvers is a spare.'],
  },
  'a test title names its subject, or a group around it does': {
    kind: 'title',
    broken: (title) => {
      const verbs = title.split(' › ').map((part) => part.split(/[ ,:]/)[0] ?? '');
      return verbs.every((word) => TITLE_VERBS.has(word)) ? `who ${verbs.at(-1)}?` : null;
    },
    breaches: ['says so', 'keeps › is left out', 'drops', 'cannot: a reason'],
    allowed: [
      'the log keeps the newest lines',
      'a lock › is released',
      'reading › fails',
      'digits open views',
    ],
  },
  'a comment is a sentence, or names the thing': {
    kind: 'comment',
    broken: (sentence) => {
      const isShort =
        sentence.split(' ').length <= 5 && !/[,:;]/.test(sentence) && !FINITE_VERB.test(sentence);
      const opener = /^(?:In|As|For|By|At|Of|From|With|Without|Like|Per) /.exec(sentence)?.[0];
      return isShort && opener !== undefined ? `a fragment with “${opener.trim()}”` : null;
    },
    breaches: [
      'In base64url.',
      'By default any free port.',
      'From `_domainconnect`.',
      'Without brackets.',
      'In order.',
    ],
    allowed: [
      'The public key, in base64url.',
      'Without a key, returns nothing.',
      'By default the clock stands still.',
      'For example, `0x7f.1` is 127.0.0.1.',
    ],
  },
  'a sentence states the rule, and not where else it applies': {
    broken: (sentence) =>
      /(?<!such )\bas (?:in file|(?:file|symbol) (?:does|do|is|are)\b)|\blike (?:in )?file\b/.exec(
        sentence,
      )?.[0] ?? null,
    breaches: [
      'Counts as `fair-slots.ts` does.',
      'The same value as in `prune.ts`.',
      'It waits like `lookups.ts`.',
      'Locks as `findRoute` does.',
    ],
    allowed: [
      'Save this as `app.ts`.',
      'A path such as `shared/core/ids.ts`.',
      'A string has no quotes, as `jq -r` prints it.',
    ],
  },
};
