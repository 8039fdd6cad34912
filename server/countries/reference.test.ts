import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { POPULAR_DESTINATIONS } from '#shared/countries/country.ts'
import { CountryEntry } from '#shared/countries/endpoints.ts'
import foreignNames from '#shared/countries/foreign-names.json' with { type: 'json' }
import { nameKey } from './names.ts'
import { SCORES } from './ranking.ts'
import { createCountries, SHARED_NAMES } from './reference.ts'

const countries = createCountries()
const entries = countries.all()
const shared = new Set(Object.keys(SHARED_NAMES).map(nameKey))
const ENGLISH = entries.flatMap(({ code, name, fullName, aliases }) =>
  [name, fullName, ...aliases].map((text) => ({ text, code })),
)
const EVERY_NAME = [
  ...ENGLISH,
  ...entries.flatMap(({ code, names, localNames }) => [names.ar, ...localNames].map((text) => ({ text, code }))),
  ...Object.values(foreignNames).flatMap((names) => Object.entries(names).map(([text, code]) => ({ text, code }))),
].filter(({ text }) => !shared.has(nameKey(text)))

const found = (text: string, limit?: number) => countries.search(text, limit).map(({ country }) => country.code)
const scoreFor = (text: string, code: string) =>
  countries.search(text, 300).find(({ country }) => country.code === code)?.score

describe('the list', () => {
  test('has all of ISO 3166-1 and Kosovo, each code once', () => {
    expect(entries).toHaveLength(250)
    expect(new Set(entries.map(({ code }) => code)).size).toBe(250)
    expect(countries.find('XK')?.name).toBe('Kosovo')
  })

  test.each(entries.map((entry) => [entry.code, entry] as const))('%s is complete', (code, entry) => {
    expect(CountryEntry.strict().parse(entry)).toEqual(entry)
    expect(code).toMatch(/^[A-Z]{2}$/)
    for (const text of [entry.name, entry.fullName, entry.names.ar, entry.subregion]) expect(text).not.toBe('')
    expect(entry.names.ar).toMatch(/^[\p{Script=Arabic}\p{M} ()-]+$/u)
    expect(entry.flag).toMatch(/^\p{Regional_Indicator}{2}$/u)
    expect(entry.timeZones.length).toBeGreaterThan(0)
    for (const timeZone of entry.timeZones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
    expect(new Set(entry.timeZones).size).toBe(entry.timeZones.length)
    expect(Math.abs(entry.coordinates.latitude)).toBeLessThanOrEqual(90)
    expect(Math.abs(entry.coordinates.longitude)).toBeLessThanOrEqual(180)
    const keys = [entry.name, entry.fullName, ...entry.aliases].map(nameKey)
    expect(new Set(entry.aliases.map(nameKey)).size).toBe(entry.aliases.length)
    expect(keys.every((key) => key !== '')).toBe(true)
  })

  test('covers five regions; Antarctica is in none of them', () => {
    expect(new Set(entries.filter(({ code }) => code !== 'AQ').map(({ region }) => region))).toEqual(
      new Set(['Africa', 'Americas', 'Asia', 'Europe', 'Oceania']),
    )
  })

  test('only uninhabited places lack a capital, and only Antarctica a currency and a language', () => {
    const lacking = (isMissing: (entry: (typeof entries)[number]) => boolean) =>
      entries
        .filter(isMissing)
        .map(({ code }) => code)
        .sort()
    expect(lacking(({ capital }) => capital === '')).toEqual(['AQ', 'BV', 'HM', 'UM'])
    expect(lacking(({ currency }) => currency === null)).toEqual(['AQ'])
    expect(lacking(({ languages }) => languages.length === 0)).toEqual(['AQ'])
  })

  test.each([
    ['PH', 'Asia/Manila', 'PHP'],
    ['US', 'America/New_York', 'USD'],
    ['AU', 'Australia/Sydney', 'AUD'],
    ['MY', 'Asia/Kuala_Lumpur', 'MYR'],
    ['IN', 'Asia/Kolkata', 'INR'],
    ['UA', 'Europe/Kyiv', 'UAH'],
    ['HR', 'Europe/Zagreb', 'EUR'],
    ['BR', 'America/Sao_Paulo', 'BRL'],
    ['XK', 'Europe/Belgrade', 'EUR'],
  ])('%s is in the time zone of %s and uses the currency %s', (code, zone, currency) => {
    expect(countries.find(code)?.timeZones[0]).toBe(zone)
    expect(countries.find(code)?.currency?.code).toBe(currency)
  })

  test('finds by code in either case, and returns the name of a code', () => {
    expect(countries.find('ph')).toBe(countries.find('PH'))
    expect(countries.find('ZZ')).toBeUndefined()
    expect(countries.nameOf('ae')).toBe('United Arab Emirates')
    expect(countries.nameOf('ZZ')).toBe('ZZ')
  })
})

describe('search', () => {
  test.each([
    ['Japan', 'JP', SCORES.name, 100],
    ['rok', 'KR', SCORES.alias, 85],
    ['Kingdom of Spain', 'ES', SCORES.fullName, 95],
    ['ph', 'PH', SCORES.code, 90],
    ['Holland', 'NL', SCORES.alias, 85],
    ['Phil', 'PH', SCORES.namePrefix, 80],
    ['日本', 'JP', SCORES.otherName, 75],
    ['اليابان', 'JP', SCORES.otherName, 75],
    ['Elfenbeinküste', 'CI', SCORES.otherName, 75],
    ['saudi ar', 'SA', SCORES.namePrefix, 80],
    ['kingdom of sau', 'SA', SCORES.aliasPrefix, 70],
    ['zealand n', 'NZ', SCORES.nameWords, 65],
    ['日', 'JP', SCORES.otherNamePrefix, 60],
    ['Manila', 'PH', SCORES.capital, 55],
    ['herzegovina b', 'BA', SCORES.nameWords, 65],
    ['grand duchy', 'LU', SCORES.aliasPrefix, 70],
    ['duchy', 'LU', SCORES.aliasWords, 50],
    ['Mani', 'PH', SCORES.capitalPrefix, 45],
    ['pines', 'PH', SCORES.nameContains, 40],
    ['يابان', 'JP', SCORES.anythingContains, 30],
    ['sain', 'LC', SCORES.namePrefix, 80],
    ['St. Luc', 'LC', SCORES.namePrefix, 80],
    ['the baha', 'BS', SCORES.namePrefix, 80],
    ['Philipines', 'PH', SCORES.typo, 20],
    ['Jpaan', 'JP', SCORES.typo, 20],
    ['Sinagpore', 'SG', SCORES.typo, 20],
  ])('%s finds %s with the score %#', (text, code, score, value) => {
    expect(score).toBe(value)
    expect(scoreFor(text, code)).toBe(score)
    expect(found(text)).toContain(code)
  })

  test('every name, full name and code scores 100, 95 and 90', () => {
    for (const { code, name, fullName } of entries) {
      expect(scoreFor(name, code)).toBe(100)
      expect(scoreFor(fullName, code)).toBe(nameKey(fullName) === nameKey(name) ? 100 : 95)
      expect(scoreFor(code, code)).toBe(90)
    }
  })

  test('returns at most 20 by default', () => {
    expect(countries.search('a')).toHaveLength(20)
    expect(countries.search('a', 5)).toHaveLength(5)
    expect(countries.search('a', 300).length).toBeGreaterThan(20)
  })

  test('the 28 popular destinations come first among equal scores, in their order', () => {
    expect(new Set(POPULAR_DESTINATIONS).size).toBe(28)
    expect(found('', 28)).toEqual([...POPULAR_DESTINATIONS])
    for (const text of ['a', 's', 'c', 'united', 'island', 'republic', 'new']) {
      const matches = countries.search(text, 300)
      const places = matches.map(({ country }) => POPULAR_DESTINATIONS.indexOf(country.code as 'PH'))
      const order = matches.map(({ score }, index) => [-score, places[index]! < 0 ? 28 : places[index]!] as const)
      expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    }
  })

  test('without a text it returns everything', () => {
    expect(countries.search('', 300)).toHaveLength(250)
    expect(countries.search('  ', 300).every(({ score }) => score === 0)).toBe(true)
  })

  test('offers every country a shared name may mean', () => {
    expect(found('Korea').slice(0, 2)).toEqual(['KR', 'KP'])
    expect(found('congo').slice(0, 2).sort()).toEqual(['CD', 'CG'])
    expect(found('Virgin Islands').slice(0, 2).sort()).toEqual(['VG', 'VI'])
  })

  test('finds nothing in nonsense or mere punctuation', () => {
    expect(found('qqqqq')).toEqual([])
    expect(found('?!')).toEqual([])
    expect(found('%')).toEqual([])
  })

  test('any name finds its country first or among equal scores', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVERY_NAME), ({ text, code }) => {
        const matches = countries.search(text, 300)
        expect(matches.filter(({ score }) => score === matches[0]!.score).map(({ country }) => country.code)).toContain(
          code,
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('external names', () => {
  test.each([
    ['Burma (Myanmar)', 'MM'],
    ['Cabo Verde', 'CV'],
    ['The Bahamas', 'BS'],
    ['Bahamas, The', 'BS'],
    ['Turkey', 'TR'],
    ['Türkiye', 'TR'],
    ['Hong Kong (SAR of China)', 'HK'],
    ['Korea, DPR (North Korea)', 'KP'],
    ['Korea, North (DPRK)', 'KP'],
    ["Korea, Democratic People's Republic of", 'KP'],
    ['Korea, Republic of', 'KR'],
    ['Korea (Republik)', 'KR'],
    ['Congo, The Democratic Republic of the', 'CD'],
    ['Democratic Republic of the Congo (D.R.C.)', 'CD'],
    ['Democratic Republic of Congo (Kinshasa)', 'CD'],
    ['Congo (DRC)', 'CD'],
    ['Kongo (Demokratische Republik)', 'CD'],
    ['Republic of Congo (Brazzaville)', 'CG'],
    ['Congo (Brazzaville)', 'CG'],
    ['Republic of the Congo', 'CG'],
    ["Côte d'Ivoire (Ivory Coast)", 'CI'],
    ['Côte d’Ivoire', 'CI'],
    ['Cote d Ivoire', 'CI'],
    ['Elfenbeinküste', 'CI'],
    ['England', 'GB'],
    ['Scotland', 'GB'],
    ['Wales', 'GB'],
    ['Northern Ireland', 'GB'],
    ['Ireland (Northern)', 'GB'],
    ['America', 'US'],
    ['U.S.A.', 'US'],
    ['KSA', 'SA'],
    ['PRC', 'CN'],
    ['Dubai', 'AE'],
    ['UAE', 'AE'],
    ['Pinas', 'PH'],
    ['Saint Vincent & the Grenadines', 'VC'],
    ['St. Vincent und die Grenadinen', 'VC'],
    ['St Kitts and Nevis', 'KN'],
    ['Saint Martin (Dutch part)', 'SX'],
    ['Virgin Islands (U.S.)', 'VI'],
    ['Micronesia, Federated States of', 'FM'],
    ['Holy See', 'VA'],
    ['West Bank', 'PS'],
    ['the Gaza Strip', 'PS'],
    ['Palästinensische Gebiete*', 'PS'],
    ['East Timor (Timor-Leste)', 'TL'],
    ['The Kyrgyz Republic', 'KG'],
    ['Swaziland', 'SZ'],
    ['  mexico   TRAVEL advisory ', 'MX'],
    ['Switzerland  - Level 1: Exercise Normal Precautions', 'CH'],
    ['Macau*', 'MO'],
    ['Ghana: Reise- und Sicherheitshinweise', 'GH'],
    ['Sao Tome & Príncipe', 'ST'],
    ['Turks and Caicos Islands (British Overseas Territory)', 'TC'],
    ['guinea-bissau', 'GW'],
  ])('%s is %s', (name, code) => {
    expect(countries.resolve(name)).toBe(code)
    expect(countries.resolveAll(name)).toEqual({ codes: [code], unresolved: [] })
  })

  test.each([
    ['Niger', 'NE', 'Nigeria', 'NG'],
    ['Oman', 'OM', 'Romania', 'RO'],
    ['Mali', 'ML', 'Somalia', 'SO'],
    ['Sudan', 'SD', 'South Sudan', 'SS'],
    ['Dominica', 'DM', 'Dominican Republic', 'DO'],
    ['Guinea', 'GN', 'Papua New Guinea', 'PG'],
    ['Guinea-Bissau', 'GW', 'Equatorial Guinea', 'GQ'],
    ['North Korea', 'KP', 'South Korea', 'KR'],
    ['Samoa', 'WS', 'American Samoa', 'AS'],
    ['Ireland', 'IE', 'Northern Ireland', 'GB'],
    ['Austria', 'AT', 'Australia', 'AU'],
    ['Iran', 'IR', 'Iraq', 'IQ'],
    ['Georgia', 'GE', 'South Georgia', 'GS'],
    ['China', 'CN', 'Republic of China', 'TW'],
    ['Saint Martin', 'MF', 'Sint Maarten', 'SX'],
    ['Slovakia', 'SK', 'Slovenia', 'SI'],
    ['Mauritius', 'MU', 'Mauritania', 'MR'],
    ['India', 'IN', 'British Indian Ocean Territory', 'IO'],
    ['Iceland', 'IS', 'Ireland', 'IE'],
  ])('%s (%s) is not %s (%s)', (name, code, other, otherCode) => {
    expect(countries.resolve(name)).toBe(code)
    expect(countries.resolve(other)).toBe(otherCode)
  })

  test.each(['', '   ', '()', 'Atlantis', 'Nige', 'land', 'Republic', 'the', 'and', 'Southeast Of Loyalty Islands'])(
    '%j is not a country',
    (name) => {
      expect(countries.resolve(name)).toBeUndefined()
    },
  )

  test('a two-letter code is not a name, because feeds use codes of another scheme', () => {
    for (const { code } of entries) expect([undefined, 'US']).toContain(countries.resolve(code))
    expect(countries.resolve('NG')).toBeUndefined()
  })

  test.each(Object.keys(SHARED_NAMES))('%s alone is left unresolved and listed', (name) => {
    expect(countries.resolve(name)).toBeUndefined()
    expect(countries.resolveAll(name)).toEqual({ codes: [], unresolved: [name] })
  })

  test('any name resolves to its own country', () => {
    for (const { text, code } of EVERY_NAME) expect([text, countries.resolve(text)]).toEqual([text, code])
  })

  test('case, accents and spaces do not count', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVERY_NAME),
        fc.array(fc.constantFrom('upper', 'lower', 'accent', 'same'), { minLength: 80, maxLength: 80 }),
        fc.constantFrom(' ', '  ', '\u00a0', '\n '),
        ({ text, code }, changes, space) => {
          const changed = [...text].map((letter, index) => {
            if (changes[index] === 'upper') return letter.toUpperCase()
            if (changes[index] === 'lower') return letter.toLowerCase()
            return changes[index] === 'accent' && /\p{Script=Latin}/u.test(letter) ? `${letter}\u0301` : letter
          })
          const spaced = `${space}${changed.join('').replaceAll(' ', space)}${space}`
          expect(countries.resolve(spaced)).toBe(code)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('an additional word makes it another name, or none', () => {
    const keys = new Map(EVERY_NAME.map(({ text, code }) => [nameKey(text), code]))
    const notAnArticle = fc.stringMatching(/^[a-z]{2,9}$/).filter((word) => !/^(?:the|la|les?|die|der|das)$/.test(word))
    fc.assert(
      fc.property(fc.constantFrom(...ENGLISH), notAnArticle, ({ text }, word) => {
        const longer = `${word} ${text}`.replace(/[(),]/g, '')
        expect(countries.resolve(longer)).toBe(keys.get(nameKey(longer)))
      }),
    )
  })
})

describe('a list of names', () => {
  test.each([
    ['Cook Islands, Tokelau, and Niue', ['CK', 'TK', 'NU']],
    ['Cook Islands, Tokelau and Niue', ['CK', 'TK', 'NU']],
    ['cook-islands-tokelau-and-niue', ['CK', 'TK', 'NU']],
    ['Mainland China, Hong Kong & Macau - See Summaries', ['CN', 'HK', 'MO']],
    ['Mainland China, Hong Kong & Macau - See Summaries - Level 3: Reconsider Travel', ['CN', 'HK', 'MO']],
    ['Israel, the West Bank and Gaza', ['IL', 'PS']],
    ['Israel, the West Bank and the Gaza Strip', ['IL', 'PS']],
    ['Israel and Palestine', ['IL', 'PS']],
    ['Israel and the Occupied Palestinian Territories', ['IL', 'PS']],
    ['St Martin and St Barthélemy', ['MF', 'BL']],
    ['Mexico,Guatemala,', ['MX', 'GT']],
    ['Antigua and Barbuda', ['AG']],
    ['Bosnia and Herzegovina', ['BA']],
    ['Trinidad and Tobago', ['TT']],
    ['Trinidad and Tobago and Grenada', ['TT', 'GD']],
    ['São Tomé and Príncipe', ['ST']],
    ['Saint Helena, Ascension and Tristan da Cunha', ['SH']],
    ['French Guiana', ['GF']],
    ['Bonaire, St Eustatius and Saba', ['BQ']],
    ['Bonaire/St Eustatius/Saba', ['BQ']],
    ['Antarctica/British Antarctic Territory', ['AQ']],
    ['South Georgia and South Sandwich Islands (British Overseas Territory)', ['GS']],
    ['French West Indies', ['BL', 'GP', 'MF', 'MQ']],
    ['Japan, Korea, Republic of, Moldova, Republic of and Fiji', ['JP', 'KR', 'MD', 'FJ']],
    ['China, Hong Kong, Taiwan', ['CN', 'HK', 'TW']],
    ['Hong Kong, China, Japan', ['HK', 'CN', 'JP']],
    ['Hong Kong, China', ['HK', 'CN']],
    ['Taiwan, Province of China', ['TW']],
    ['la Suisse et l’Équateur', ['CH', 'EC']],
    ['Niger; Nigeria', ['NE', 'NG']],
    ['Guinea, Guinea-Bissau, Equatorial Guinea and Papua New Guinea', ['GN', 'GW', 'GQ', 'PG']],
    ['Serbia and Montenegro', ['RS', 'ME']],
    ['Deutschland und Österreich', ['DE', 'AT']],
    ['Japan, Japan', ['JP']],
  ])('%s contains %j', (text, codes) => {
    expect(countries.resolveAll(text)).toEqual({ codes, unresolved: [] })
  })

  test.each([
    ['Southeast Of Honshu, Japan', ['JP'], ['Southeast Of Honshu']],
    ['Korea and Japan', ['JP'], ['Korea']],
    ['Atlantis', [], ['Atlantis']],
    ['Korea and Congo (DRC)', ['CD'], ['Korea']],
    ['', [], []],
    [' , ', [], []],
    ['Mexico (and others, too), Atlantis', ['MX'], ['Atlantis']],
  ])('%s contains %j and leaves %j unresolved', (text, codes, unresolved) => {
    expect(countries.resolveAll(text)).toEqual({ codes, unresolved })
  })

  test('two names separated by a comma are never a third country', () => {
    for (const entry of entries) {
      for (const other of entries) {
        const code = countries.resolve(`${entry.name}, ${other.name}`)
        // International bodies write "Hong Kong, China" for Hong Kong alone.
        if (code) expect([entry.code, other.code]).toContain(code)
      }
    }
  })

  test('any joined countries are split again', () => {
    const names = entries.map(({ code, name }) => ({ code, name }))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 12, selector: ({ code }) => code }),
        fc.constantFrom(', ', ',', '; ', ' / '),
        fc.constantFrom(', and ', ' and ', ' & ', ', '),
        (chosen, comma, last) => {
          const text =
            chosen
              .map(({ name }) => name)
              .slice(0, -1)
              .join(comma) +
            last +
            chosen.at(-1)!.name
          expect(countries.resolveAll(text)).toEqual({ codes: chosen.map(({ code }) => code), unresolved: [] })
        },
      ),
      { numRuns: 300 },
    )
  })

  test('no text makes it throw or take long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        countries.resolve(text)
        countries.resolveAll(text)
        countries.search(text)
      }),
    )
    const started = performance.now()
    for (const piece of [',', '(', 'and ', 'Japan, ', ' ', 'St ', '-', 'a-', '&', '()', 'Korea, (', ' - level 1'])
      countries.resolveAll(piece.repeat(5_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('aliases added by an administrator', () => {
  test('apply to both resolving and searching', () => {
    const extended = createCountries([{ alias: 'Perlas ng Silangan', code: 'PH' }])
    expect(extended.resolve('perlas  NG silangan')).toBe('PH')
    expect(extended.search('Perlas ng Silangan')[0]).toMatchObject({ country: { code: 'PH' }, score: 85 })
    expect(countries.resolve('Perlas ng Silangan')).toBeUndefined()
  })

  test('may decide a shared name', () => {
    expect(createCountries([{ alias: 'Congo', code: 'CG' }]).resolve('Congo')).toBe('CG')
  })

  test.each([
    [[{ alias: 'Niger', code: 'NG' }], /names both NE and NG/],
    [[{ alias: 'türkei', code: 'TM' }], /names both TR and TM/],
    [
      [
        { alias: 'Somewhere', code: 'NE' },
        { alias: 'SOMEWHERE', code: 'NG' },
      ],
      /names both/,
    ],
    [[{ alias: 'Atlantis', code: 'ZZ' }], /no country code/],
    [[{ alias: '(!)', code: 'PH' }], /no letters/],
  ])('are rejected when they are ambiguous or empty: %j', (aliases, message) => {
    expect(() => createCountries(aliases)).toThrow(message)
  })
})

// Real files of the foreign offices, stored beside the repository and not part of it.
const FEEDS = new URL('../../../shared/data/advisories/', import.meta.url)
const json = (path: string) => JSON.parse(readFileSync(new URL(path, FEEDS), 'utf8'))
const decoded = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)))
    .replaceAll('&rsquo;', '’')
    .replace(/&([a-zA-Z])(?:acute|grave|circ|tilde|cedil|uml);/g, '$1')
    .replaceAll('&amp;', '&')

describe.skipIf(!existsSync(FEEDS))('real feeds', () => {
  const expectResolved = (texts: string[]) => {
    for (const text of texts) {
      const { codes, unresolved } = countries.resolveAll(text)
      expect([text, unresolved]).toEqual([text, []])
      expect([text, codes.length]).not.toEqual([text, 0])
    }
  }

  test.each(['us-state-rss-2025-10-07.xml', 'us-state-rss-2025-10-08.xml'])('every title of %s', (file) => {
    const items = readFileSync(new URL(file, FEEDS), 'utf8').split('<item>').slice(1)
    const titles = items.map((item) => decoded(/<title>([^<]*)<\/title>/.exec(item)![1]!))
    expect(titles).toHaveLength(211)
    expectResolved(titles)
    expectResolved(titles.map((title) => title.replace(/ - Level.*/, '')))
  })

  test('every title of the other US files', () => {
    expectResolved(
      json('us-state-archive-2026-02-15.json').current_advisories.map((entry: { country: string }) => entry.country),
    )
    expectResolved(
      json('us-state-archive-2026-02-15.json').current_advisories.map(
        (entry: { full_title: string }) => entry.full_title,
      ),
    )
    for (const file of ['recent-2026-09/us-api.json', 'recent-2026-09/us-api-with-summary.json'])
      expectResolved(json(file).map((entry: { Title: string }) => entry.Title))
  })

  test('every UK name, and its address resolves to the same', () => {
    const places: { name: string; slug: string }[] = json('uk-fcdo-alert-status-2026-05.json')
    expect(places).toHaveLength(226)
    for (const { name, slug } of places.filter(({ slug }) => slug !== 'congo')) {
      expectResolved([name, `${name} travel advice`])
      expect([slug, countries.resolveAll(slug)]).toEqual([slug, countries.resolveAll(name)])
    }
    expect(countries.resolveAll('Congo')).toEqual({ codes: [], unresolved: ['Congo'] })
  })

  test('every title in the UK indexes', () => {
    for (const file of ['uk-fcdo-content-api/index.json', 'recent-2026-09/uk-index.json']) {
      for (const { title, details } of json(file).links.children) expectResolved([title, details.country.name])
    }
  })

  test.each(['ca-index-alpha-eng-2014-full.json', 'recent-2026-09/ca-index-alpha-eng.json'])(
    'every name of %s, in English and French, is its key',
    (file) => {
      const exceptions: Record<string, string[]> = { IC: ['ES'], 'PT-20': ['PT'], IL: ['IL', 'PS'] }
      for (const [key, { eng, fra }] of Object.entries<{ eng: { name: string }; fra: { name: string } }>(
        json(file).data,
      )) {
        for (const name of [decoded(eng.name), decoded(fra.name)])
          expect([name, countries.resolveAll(name)]).toEqual([
            name,
            { codes: exceptions[key] ?? [key], unresolved: [] },
          ])
      }
    },
  )

  test('every Australian name is its code', () => {
    const destinations = json('au-smartraveller-destinations-2025-02-20.json').destinations
    const both = ['2024-11-30', '2025-02-20'].flatMap((day) => json(`au-smartraveller-${day}.json`).advisories)
    expect(both.length).toBeGreaterThan(300)
    for (const { country } of [...both, ...Object.values<{ country: { name: string; alpha_2: string } }>(destinations)])
      expect([country.name, countries.resolve(country.name)]).toEqual([country.name, country.alpha_2])
  })

  test('every German name and title is its code', () => {
    for (const entry of Object.values<{ countryCode?: string; countryName: string; title: string }>(
      json('recent-2026-09/de-warnings.json').response,
    )) {
      if (!entry.countryCode) continue
      expect([entry.countryName, countries.resolve(entry.countryName)]).toEqual([entry.countryName, entry.countryCode])
      expect([entry.title, countries.resolve(entry.title)]).toEqual([entry.title, entry.countryCode])
    }
  })

  test('every GDACS list, except the places that are not countries', () => {
    for (const file of ['gdacs-rss-2019-12-30.xml', 'gdacs-rss-24h-2019-12-30.xml']) {
      const text = readFileSync(new URL(file, FEEDS), 'utf8')
      const lists = [...text.matchAll(/<gdacs:country>([^<]*)/g)].map((match) => decoded(match[1]!))
      for (const list of lists) {
        const { codes, unresolved } = countries.resolveAll(list)
        expect(unresolved.filter((name) => !/^Southeast Of /.test(name))).toEqual([])
        expect(codes.length + unresolved.length).toBe(list.split(',').filter((part) => part.trim()).length)
      }
    }
    for (const { properties } of json('recent-2026-09/gdacs-search-3-features.json').features) {
      const codes = properties.affectedcountries.map(({ iso2 }: { iso2: string }) => iso2)
      expect(countries.resolveAll(properties.country)).toEqual({ codes, unresolved: [] })
    }
  })
})
