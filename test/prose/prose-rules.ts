/** A rule that a machine can check in one sentence of prose. */
export interface ProseRule {
  /** Returns what breaks the rule, or null. @param sentence plain text: inline code stands as one word. */
  broken: (sentence: string) => string | null;
  /** Sentences that break the rule: proof that it can fail. */
  breaches: readonly string[];
  /** Sentences that look similar and are allowed. */
  allowed: readonly string[];
}

const WORDS_MAX = 30;

/** Words of our own, with the word of the field for each. */
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

/** Subjects and openers that turn a sentence around. */
const OPENERS = [
  /^(?:Whoever|Whatever|Nobody|None|Who)\b/,
  /^Of (?:these|the others|those|them|an?|the|all|both|each)\b/,
  /^(?:In place of|Beside (?:it|them|that|those)|As above|The same\b\.?$)/,
  /^What (?:is|are|was|were|has|have|had|no|an?|the|it|they|we|you|must|can|may|does|do|did|of|settings?|stands?|comes?|follows?|nobody)\b/,
  /^Where (?:it|they|the|an?|no|nothing|nobody|there|this|that|we|you)\b/,
];

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
};
