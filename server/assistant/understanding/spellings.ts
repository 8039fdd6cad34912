/**
 * "Myanmar (Burma)" is either, "Trinidad & Tobago" is written with "and" by most. What stands alone in brackets as one
 * character is said together: 刚果（金） is 刚果金, and 金 is gold.
 */
export function spellings(name: string): string[] {
  const bare = name.trim()
  if (bare === '') return []
  const match = /^(.*?)\s*[(（](.*)[)）]\s*$/u.exec(bare)
  const all = match ? [match[1]!, match[2]!.length > 1 ? match[2]! : `${match[1]}${match[2]}`] : [bare]
  return all
    .flatMap((each) => (each.includes('&') ? [each, each.replace('&', 'and')] : [each]))
    .filter((each) => each !== '')
}

/** Letters of a transcription that hardly anyone writes; "São" and "Köln" stay. */
const TRANSCRIBED = /[āīūēōḩḥţṭşṣḑḍẕẓḨŢŞḐ]/u

/** A name without the marks of a transcription. */
export const plain = (name: string) =>
  TRANSCRIBED.test(name) ? name.normalize('NFKD').replace(/\p{M}|[‘’ʿʾ]/gu, '') : name.replace(/[‘’ʿʾ]/g, "'")

/** "Al Qaţīf" is Qatif to most, "Makati City" Makati. */
export function citySpellings(name: string): string[] {
  const bare = name.replace(/[‘’ʿʾ'`]/g, '')
  const all = new Set([name, bare, bare.replace(/ City$/, '')])
  const withoutArticle = bare.replace(/ City$/, '').replace(/^(?:Al|Ad|Ar|As|Ash|At|Az|An|Adh)[ -](?=\p{Lu})/u, '')
  if (withoutArticle.length >= 5) for (const each of [withoutArticle, `Al ${withoutArticle}`]) all.add(each)
  for (const each of [...all]) if (/[īi]yah$/.test(each)) all.add(each.slice(0, -1))
  return [...all]
}
