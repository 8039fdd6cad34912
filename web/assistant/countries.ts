import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** The countries of the portal (shared/countries/countries.json is too large for the bundle). */
const CODES =
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSXKYEYTZAZMZW'
export const COUNTRY_CODES: readonly string[] = CODES.match(/../g) ?? []

interface NamedCountry {
  code: string
  name: string
}

/** All countries with their names in a language, in its collation order. */
export function countriesIn(language: AssistantLanguage): NamedCountry[] {
  const names = new Intl.DisplayNames([language === 'tl' ? 'fil' : language], { type: 'region' })
  const order = new Intl.Collator(language)
  return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    order.compare(a.name, b.name),
  )
}
