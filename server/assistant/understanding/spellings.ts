/**
 * Spelling variants: both names of "Myanmar (Burma)", and "and" for the "&" of "Trinidad & Tobago". A single character
 * in brackets belongs to the name: 刚果（金） is 刚果金, whereas 金 means gold.
 */
export function spellings(name: string): string[] {
  const bare = name.trim()
  if (bare === '') return []
  const [, outside, inside = ''] = /^(.*?)\s*[(（](.*)[)）]\s*$/u.exec(bare) ?? []
  const all = outside === undefined ? [bare] : [outside, inside.length > 1 ? inside : `${outside}${inside}`]
  return all
    .flatMap((each) => (each.includes('&') ? [each, each.replace('&', 'and')] : [each]))
    .filter((each) => each !== '')
}

/** Transcription letters that are rarely typed; "São" and "Köln" stay. */
const TRANSCRIBED = /[āīūēōḩḥţṭşṣḑḍẕẓḨŢŞḐ]/u

/** A name without transcription diacritics. */
export const plain = (name: string) =>
  TRANSCRIBED.test(name) ? name.normalize('NFKD').replace(/\p{M}|[‘’ʿʾ]/gu, '') : name.replace(/[‘’ʿʾ]/g, "'")

/** Common variants: "Al Qaţīf" is usually written Qatif, "Makati City" Makati. */
export function citySpellings(name: string): string[] {
  const bare = name.replace(/[‘’ʿʾ'`]/g, '')
  const all = new Set([name, bare, bare.replace(/ City$/, '')])
  const withoutArticle = bare.replace(/ City$/, '').replace(/^(?:Al|Ad|Ar|As|Ash|At|Az|An|Adh)[ -](?=\p{Lu})/u, '')
  if (withoutArticle.length >= 5) for (const each of [withoutArticle, `Al ${withoutArticle}`]) all.add(each)
  for (const each of [...all]) if (/[īi]yah$/.test(each)) all.add(each.slice(0, -1))
  return [...all]
}
