/**
 * Tests whether a sentence tells its reader to do something. A wrong guess is worse than none: a sentence counts only
 * if it starts with an imperative or says what travellers should do. In languages other than English and German, none.
 */
export function instructionTest(language: string): (sentence: string) => boolean {
  const rules = RULES[language]
  if (!rules) return () => false
  return (sentence) =>
    sentence.length >= 12 &&
    !sentence.includes('?') &&
    !sentence.endsWith(':') &&
    rules.instruction.some((pattern) => pattern.test(sentence)) &&
    !rules.none.some((pattern) => pattern.test(sentence))
}

interface Rules {
  instruction: RegExp[]
  /** Reading matter, services for the source's own citizens, and remarks that look like instructions. */
  none: RegExp[]
}

/** Verbs that are also nouns ("drink", "report") count only with what follows an order. */
const VERBS = [
  'allow|arrange|ask|avoid|be|beware|boil|bring|buy|call|cancel|carry|check|choose|climb|comply|conserve|consider',
  'consult|contact|cooperate|depart|develop|discuss|do|draft|eat|ensure|erase|establish|evacuate|exercise|follow|get',
  'give|go|have|heed|hide|identify|inform|keep|leave|limit|listen|lock|maintain|make|memori[sz]e|minimi[sz]e|monitor',
  'move|notify|obey|observe|obtain|pack|pay|plan|postpone|practi[cs]e|prepare|purchase|reconsider|refrain',
  'register|rely|remain|remove|respect|restrict|review|secure|seek|share|shelter|stay|store|take|tell|treat|update|use',
  'vary|verify|wash|watch|wear|drink (?:only|bottled)|drive (?:carefully|defensively|slowly|with)|head for',
  'turn (?:off|on|back)|report (?:any|suspicious|crimes?|to)|travel (?:only|in|with|during)',
].join('|')
const SUBJECTS = 'you|travell?ers|visitors|citizens|nationals|foreigners|everyone|people|persons|residents'
const READING_MATTER = [
  'website|web site|web ?page|https?:|facebook|twitter|newsletter|information page|travel advice|travel\\.gc',
  "country security report|traveler[’']s checklist|smart traveler|enrol+\\b|STEP\\b|registration of canadians",
].join('|')

const RULES: Record<string, Rules> = {
  en: {
    instruction: [
      new RegExp(
        `^(?:if you are [^,]{2,60}, )?(?:please |always |strictly |immediately |instead, )?(?:${VERBS})\\b`,
        'i',
      ),
      /^(?:do not|don[’']t|never)\s+[a-z]/i,
      new RegExp(`\\b(?:${SUBJECTS})(?: [\\w-]+){0,6} (?:should|must)\\b`, 'i'),
      /\b(?:are|is) (?:strongly )?(?:advised|urged|encouraged|recommended) (?:not )?to\b/i,
      /\b(?:authorities|government) requires? [^.]{0,80}\b(?:foreigners|travell?ers|visitors|tourists)\b/i,
      /^we (?:strongly |highly )?(?:recommend|advise|urge)\b/i,
    ],
    none: [
      /^(?:please )?(?:read|see|visit|refer|review|find out|learn|for more|check the (?:cdc|website))\b/i,
      /^follow the (?:department|embassy|u\.?s)/i,
      // What these words refer to is not in the sentence.
      /\b(?:these|those(?! of)|such(?! as)|same|above|below|here)\b|(?<!\bas )\bthis (?!time\b)/i,
      /\btheir (?:guidance|instructions)\b/i,
      // Two sentences without a space between them.
      /\p{Ll}\p{Lu}\p{Ll}/u,
      // Services for citizens of the source.
      /^for [^,]*\bconsular\b|^contact:/i,
      /\bcontact (?:the|a|an|your) (?:nearest )?(?:u\.?\s?s\.?|british|canadian) embassy/i,
      new RegExp(`\\b(?:${READING_MATTER})`, 'i'),
      /^(?!.*\bany foreigners\b).*\b(?:employees|personnel|staff|diplomats|government officials?)\b/i,
      // Remarks.
      /\b(?:should|must) (?:be able|expect|not expect|know|note|be aware)\b/i,
      /^(?:be aware that|note that|know that|have been|be sure that)\b/i,
      /^if you(?![’']?(?:re| are) (?:still |currently |already )?in )/i,
    ],
  },
  de: {
    instruction: [
      /^(?:bitte )?\p{Lu}\p{L}+n Sie\b/u,
      /\bwird (?:dringend )?(?:gewarnt|abgeraten)\b/,
      /\bSie sollten\b/,
    ],
    none: [/^(?:Lesen|Beachten|Informieren|Finden|Weitere) Sie\b/, /\bELEFAND\b|Krisenvorsorgeliste/],
  },
}
