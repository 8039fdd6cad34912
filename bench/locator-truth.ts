import { ChurchModel } from '#server/churches/model.ts'
import { cleanText, readQuestion } from '#server/churches/question.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { createLog } from '#server/log.ts'
import { ReadModel } from '#server/readmodel/model.ts'
import { byName, searchInSql, within } from '#server/testing/church-queries.ts'
import { distanceKm } from '#shared/churches/distance.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { count, median, milliseconds, type Row, times } from './report.ts'
import { createQuestions, type Questions } from './tools/locator-questions.ts'
import { statementOf } from './tools/statements.ts'

const PAGE = { limit: 20, offset: 0 }
const COMPARED = { postgres: 10_000, pglite: 500 }
const AT_ONCE = { postgres: 8, pglite: 1 }
const TIMED = 60

export const countries = createCountries()

/**
 * Opens the database and checks that the in-memory model returns the same as its SQL. Returns questions for later
 * measurements.
 */
export async function compareWithTruth(where: { url: string } | { folder: string }) {
  const database = 'url' in where ? openPostgres(where.url, { poolSize: 8 }) : await openPglite(where.folder)
  try {
    const model = new ChurchModel({ database, countries: () => countries })
    const readModel = new ReadModel(database, createLog('silent'), [model.cachedTable])
    await readModel.catchUp()
    const all: FoundLocale[] = []
    for await (const some of model.allWhole()) all.push(...some)
    const questions = createQuestions(all)
    const rows = [await equality(database, model, questions)]
    if (database.engine === 'postgres') {
      rows.push(...(await plans(database, questions)), ...bruteForce(model, all, questions))
    }
    return { questions, rows }
  } finally {
    await database.close()
  }
}

async function equality(database: Database, model: ChurchModel, questions: Questions): Promise<Row> {
  const filters = Array.from({ length: COMPARED[database.engine] }, () => questions.any())
  let equal = 0
  let next = 0
  const compare = async () => {
    for (let i = next++; i < filters.length; i = next++) {
      const question = readQuestion(filters[i]!, countries)
      const { rows, total } = model.search(question, PAGE)
      const truth = await inBackground(database, 'bench', (db) => searchInSql(db, question, PAGE))
      const isEqual = total === truth.total && rows.every(({ locale }, at) => locale.id === truth.ids[at])
      if (isEqual) equal++
      else console.error('  differs:', JSON.stringify(filters[i]))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE[database.engine] }, compare))
  return {
    what: `same ids in the same order, and the same total, as by SQL on ${database.engine}`,
    budget: 'all',
    measured: count(equal),
    baseline: count(filters.length),
    ratio: times(equal / filters.length),
    isMet: equal === filters.length,
  }
}

/** Query plans of the SQL baseline, to show that it is well indexed. */
async function plans(database: Database, questions: Questions): Promise<Row[]> {
  const { latitude: lat, longitude: lng } = questions.point()
  const queries = {
    'text search': byName(readQuestion({ search: questions.text(6, 8) }, countries), PAGE),
    'within 50 km': within(readQuestion({}, countries), { latitude: lat, longitude: lng }, 50, PAGE),
    'within 50 km of the 180th meridian': within(
      readQuestion({}, countries),
      { latitude: -17, longitude: 179.9 },
      50,
      PAGE,
    ),
    country: byName(readQuestion({ country: 'FJ' }, countries), PAGE),
  }
  const rows: Row[] = []
  for (const [what, query] of Object.entries(queries)) {
    const plan = await database.background.pool.query(`explain ${statementOf(query)}`)
    const lines = plan.rows.map((row: Record<string, string>) => row['QUERY PLAN']!)
    const scans = lines.filter((line) => /Scan .*(public_locales|on public)/.test(line)).map((line) => line.trim())
    console.error(`  ${what}: ${scans.join('; ')}`)
    rows.push({
      what: `plan of the SQL, ${what}`,
      budget: 'by an index',
      measured: scans.join('; ').replaceAll(/ {2}\(.*?\)|-> +/g, ''),
      baseline: '',
      ratio: '',
      isMet: !lines.some((line) => /Seq Scan on public_locales/.test(line)),
    })
  }
  return rows
}

/** In this process, without HTTP: the indexes compared with a scan of every row. */
function bruteForce(model: ChurchModel, all: FoundLocale[], questions: Questions): Row[] {
  const texts = Array.from({ length: TIMED }, () => questions.text(4, 12))
  const points = Array.from({ length: TIMED }, () => questions.point())
  const folded = all.map((locale) => cleanText(`${locale.name} ${locale.city} ${locale.address_line1}`))
  const ours = {
    text: texts.map((search) => timed(() => model.search(readQuestion({ search }, countries), PAGE))),
    nearest: points.map(({ latitude: lat, longitude: lng }) =>
      timed(() => model.search(readQuestion({ lat, lng }, countries), PAGE)),
    ),
  }
  const brute = {
    text: texts.map(cleanText).map((needle) => timed(() => folded.filter((text) => text.includes(needle)))),
    nearest: points.map((at) =>
      timed(() =>
        all
          .filter(({ latitude }) => latitude !== null)
          .map((locale) => distanceKm(at, locale as { latitude: number; longitude: number }))
          .sort((a, b) => a - b)
          .slice(0, PAGE.limit),
      ),
    ),
  }
  return (['text', 'nearest'] as const).map((what) => ({
    what: `${what === 'text' ? 'text search' : 'nearest 20'} in memory, beside looking at every row`,
    budget: '',
    measured: milliseconds(median(ours[what])),
    baseline: milliseconds(median(brute[what])),
    ratio: times(median(ours[what]) / median(brute[what])),
    isMet: null,
  }))
}

function timed(fn: () => unknown): number {
  const began = performance.now()
  fn()
  return performance.now() - began
}
