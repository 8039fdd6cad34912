/** What is said of a point that lies in another country than the one that was chosen; both by their English names. */
export const misplacedText = (lies: string, named: string) =>
  `This point is in ${lies}, not in ${named}. Correct the country or the point.`

/** The two names in it, or null where the text says something else. */
export function readMisplaced(text: string): { lies: string; named: string } | null {
  const [, lies, named] = /^This point is in (.+), not in (.+)\. Correct the country or the point\.$/.exec(text) ?? []
  return lies && named ? { lies, named } : null
}
