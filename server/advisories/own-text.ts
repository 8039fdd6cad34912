import { fold } from '#shared/countries/fold.ts'

/** The fields of an entry that are checked for a text of its own. */
export interface Texts {
  title: string
  original_wording: string
  description: string
  detailed_information: string | null
}

/** Letters and digits that must remain without title, level and fillers: "due to crime and unrest". */
const MIN_CHARACTERS = 18

/** Enough characters to decide whether an entry has a text of its own. */
const LOOKED_AT = 4_000

const FILLERS =
  /\b(?:the )?(?:summary|text|information|advisory|description|details?)?\s*(?:is |are )?(?:currently |yet |not yet )?(?:not available|unavailable|to be (?:added|announced|determined)|tb[ad]|coming soon|in preparation|under review|will be updated soon)\b|\bnicht verfügbar\b|\blorem ipsum\b/g

/**
 * Whether an entry has a text of its own: a sentence besides its title, its level and phrases such as "Summary not
 * available". A source that has lost its texts has most likely lost its levels too.
 */
export function hasOwnText(texts: Texts): boolean {
  const { title, original_wording, description, detailed_information } = texts
  const source = detailed_information ?? description.replace(/latest update:.*$/is, '')
  const text = plain(source.slice(0, LOOKED_AT)).replaceAll(FILLERS, ' ')
  const known = new Set(tokenize(plain(`${title} ${original_wording}`)))
  const rest = tokenize(text).filter((token) => !known.has(token))
  return rest.join('').length >= MIN_CHARACTERS
}

/** Treats "precaution" and "precautions" as one. */
function tokenize(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((token) => token.replace(/(?<=\p{L}{3})s$/u, ''))
}

/** Folded text without tags and entities, words separated by single spaces. */
function plain(html: string): string {
  return fold(html.replace(/<[^<>]*>|&[a-z#0-9]{1,10};/gi, ' ').replace(/[*_]+/g, ' '))
}
