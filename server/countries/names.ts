import { fold } from '#shared/countries/fold.ts'

/**
 * Key that spellings of one name share: folded, "and" for "&", "st" for "saint", no apostrophes, full stops or "the",
 * and other punctuation as a space. Word order and every other word matter, so that Niger is never Nigeria.
 */
export function nameKey(name: string): string {
  return fold(name)
    .replace(/\s*&\s*/g, ' and ')
    .replace(/['.`´]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(/\bsaint\b/g, 'st')
    .replace(/\bthe\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Removes text that sources add to a name: "Mexico Travel Advisory", "X - See Summaries", "Macau*", "X,". */
export function bareName(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*:\s*Reise- und Sicherheitshinweise.*$/i, '')
    .replace(/\s+[-–—]\s+(see summaries|level \d.*)$/i, '')
    .replace(/\s+[-–—]\s+(see summaries|level \d.*)$/i, '')
    .replace(/\s+travel (advisory|advice|warning)$/i, '')
    .replace(/^[\s,;*]+|(?<![\s,;*])[\s,;*]+$/g, '')
}

// "la Cisjordanie", "l’Équateur", "die Schweiz"
const ARTICLE = /^(?:(?:la|les?|die|der|das)\s|l['’])/i

/** The keys of a name, most literal first. */
export function keysOf(name: string): string[] {
  const bare = bareName(name)
  const { outside, inside } = splitParentheses(bare)
  // "Ireland (Northern)" and "Congo (Brazzaville)" are distinguished by the parentheses; otherwise the text outside
  // counts.
  const spellings = inside
    ? [bare, `${inside} ${outside}`, outside, ...inversions(outside)]
    : [bare, ...inversions(bare)]
  const withoutArticle = spellings.map((spelling) => spelling.trim().replace(ARTICLE, ''))
  return [...new Set([...spellings, ...withoutArticle].map(nameKey))].filter((key) => key !== '')
}

/** The name in parentheses: "DRC" of "Congo (DRC)". */
export function additionOf(name: string): string {
  return splitParentheses(name).inside
}

const JOINT = /(\s*[,;/]\s*(?:(?:and|und|et)\s+)?|\s*&\s*|\s+(?:and|und|et)\s+)/i

/** A piece of a list and its separator from the previous piece. */
export interface ListItem {
  text: string
  joint: string
}

/** Splits a list of names at every possible separator: commas, semicolons, slashes and "and", outside parentheses. */
export function splitList(text: string): ListItem[] {
  const items: ListItem[] = []
  let item: ListItem = { text: '', joint: '' }
  for (const [index, piece] of text.split(/(\([^()]*\))/).entries()) {
    const isParenthesis = index % 2 === 1
    const [first, ...rest] = isParenthesis ? [piece] : piece.split(JOINT)
    item.text += first
    for (let at = 0; at < rest.length; at += 2) {
      items.push(item)
      item = { joint: rest[at] ?? '', text: rest[at + 1] ?? '' }
    }
  }
  return [...items, item].filter(({ text }) => nameKey(text) !== '')
}

/** "Korea, Republic of" → "Republic of Korea". */
function inversions(name: string): string[] {
  const comma = name.indexOf(',')
  if (comma < 0) return []
  return [`${name.slice(comma + 1)} ${name.slice(0, comma)}`]
}

function splitParentheses(name: string): { outside: string; inside: string } {
  const match = /^([^()]*)\(([^()]*)\)([^()]*)$/.exec(name)
  if (!match) return { outside: name, inside: '' }
  const [, before = '', inside = '', after = ''] = match
  return { outside: `${before.trim()} ${after.trim()}`.trim(), inside: inside.trim() }
}
