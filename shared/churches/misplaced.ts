/** Error text for a point outside the chosen country; both countries by their English names. */
export const misplacedText = (lies: string, named: string) =>
  `This point is in ${lies}, not in ${named}. Correct the country or the point.`

/** Extracts the two names, or null if the text is a different message. */
export function readMisplaced(text: string): { lies: string; named: string } | null {
  const [, lies, named] = /^This point is in (.+), not in (.+)\. Correct the country or the point\.$/.exec(text) ?? []
  return lies && named ? { lies, named } : null
}
