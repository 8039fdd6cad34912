import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { ExistingRecord, Fields, HowToRead, ImportAdapter, ReadRow, RowRules } from '#server/imports/adapter.ts'
import { plain } from '#server/imports/cells.ts'
import { plainText } from '#server/imports/queries.ts'
import { type LocaleSettings, localeImports } from '#shared/churches/imports.ts'
import type { RowProblem } from '#shared/imports/model.ts'
import texts from '../../../public/locales/en/importChurches.json' with { type: 'json' }
import { isLoosening } from '../loosening-errors.ts'
import { projectLocales } from '../projection.ts'
import { changeOf, type LocaleRow, newLocale, WRITTEN_COLUMNS, WRITTEN_FIELDS } from './change.ts'
import { conflicts, HAS_MORE, LOCALE_COUNTS, loosening } from './checks.ts'
import { indexOf, knownLocales, knownPage } from './known-locales.ts'
import { type Lists, listsOf, listText, restoreLists, writeLists } from './lists.ts'
import { guessPrefix, NAMES } from './mapping.ts'
import { countUnpublished } from './publish-import.ts'
import { createRowReader } from './row.ts'

/** Imports of locales, with their services and servants. */
export function localeImportAdapter(deps: { countries: () => Countries | Promise<Countries> }): ImportAdapter {
  return {
    kind: 'locales',
    contract: localeImports,
    headings: {
      names: NAMES,
      ownExport: ['id', 'external_id', 'name'],
      required: { name: 'Choose which column is the name.' },
    },
    suggestSettings: (fileName, mapping) => ({ id_prefix: guessPrefix(fileName, mapping) }),
    table: {
      name: 'locales',
      columns: WRITTEN_COLUMNS,
      derived: ['located_in'],
      references: { chapter_id: 'mfa_local_chapters', confirmed_by: 'user_profiles' },
    },
    rules: async (db, how) => localeRules(db, how, await deps.countries()),
    // Administrators know of all locales.
    index: async (work) => indexOf(await knownLocales((after) => work((db) => knownPage(db, after)))),
    related: async (db, ids) => (await listsOf(db, ids)) as Map<string, Lists & Fields>,
    shownFields: WRITTEN_FIELDS,
    textOf: (field, value) =>
      field === 'services' || field === 'servants' ? listText(field, value) : plainText(field, value),
    texts,
    counts: LOCALE_COUNTS,
    detail: async (db, { id, status }) => ({
      unpublished: status === 'committed' ? await countUnpublished(db, id) : 0,
    }),
    conflicts,
    checks: (id) => [{ code: 'would_loosen', rows: loosening(id) }],
    hasMore: HAS_MORE,
    afterWrite: writeLists,
    afterRestore: restoreLists,
    async finish(db, ids) {
      const countries = await deps.countries()
      await projectLocales(db, ids, (code) => countries.find(code)?.name ?? null)
    },
    refusalOf: (error) => (isLoosening(error) ? 'would_loosen' : undefined),
  }
}

async function localeRules(db: Db, { columns, mapping, settings }: HowToRead, countries: Countries): Promise<RowRules> {
  const { options, ...prefix } = settings as LocaleSettings
  const chapters = await db.selectFrom('mfa_local_chapters').select('id').execute()
  const known = new Set(chapters.map((chapter) => chapter.id))
  const read = createRowReader(columns, { mapping, options, ...prefix }, countries)
  return {
    read: (cells) => withKnownChapter(read(cells), known),
    keyOf: ({ external_id }) => external_id as string | undefined,
    descriptionOf,
    nameOf({ name, city, country_code }) {
      const country = country_code && countries.nameOf(country_code as string)
      return { name: (name as string | undefined) ?? null, place: [city, country].filter(Boolean).join(', ') || null }
    },
    create(row) {
      const { fields, problems } = newLocale(row, options.new_locales === 'to_be_confirmed')
      return { fields, before: {}, problems: stillSo([...row.problems, ...problems], fields) }
    },
    update(record, row, isIdTaken) {
      const locale = record as ExistingRecord & LocaleRow & Lists
      const change = changeOf(locale, row, { clearsEmpty: options.clears_empty, isIdTaken })
      return { ...change, problems: stillSo([...row.problems, ...change.problems], { ...locale, ...change.fields }) }
    },
  }
}

function withKnownChapter(row: ReadRow, chapters: ReadonlySet<string>): ReadRow {
  const { chapter_id, ...values } = row.values
  if (chapter_id === undefined || chapters.has(chapter_id as string)) return row
  const problem: RowProblem = { code: 'not_understood', field: 'chapter_id', value: chapter_id as string }
  return { ...row, values, problems: [...row.problems, problem] }
}

function descriptionOf({ name, city, address_line1, latitude, longitude }: Fields): string {
  const where = city || address_line1 ? [city, address_line1] : [latitude, longitude]
  if (!name || where.every((value) => value === undefined)) return ''
  return [name, ...where].map((value) => plain(String(value ?? ''))).join('\n')
}

/** Without a country in the file, a locale retains its own, or takes that of its point. */
const stillSo = (problems: RowProblem[], { country_code }: Fields) =>
  problems.filter(({ code }) => code !== 'no_country' || !country_code)
