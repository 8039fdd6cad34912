import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { localeImportAdapter } from '#server/churches/import/adapter.ts'
import { saveNewLocalesOption } from '#server/churches/import/publish-import.ts'
import { currentCountries } from '#server/countries/model.ts'
import { inBackground } from '#server/db/claims.ts'
import { problemText } from '#server/imports/plan-file.ts'
import { findImport, findRows } from '#server/imports/queries.ts'
import { claimStep, runStep, type Step } from '#server/imports/steps.ts'
import { saveUpload } from '#server/imports/upload.ts'
import { firstOf } from '#shared/assert.ts'
import { PLANNED_ACTIONS } from '#shared/imports/model.ts'
import { type Command, type CommandDeps, parse, UsageError } from './command.ts'
import { table } from './table.ts'

const ERRORS_SHOWN = 50
/** In printing order. */
const COUNTED = [...PLANNED_ACTIONS, 'undecided', 'warnings', 'published', 'services', 'servants'] as const

export const LOCALE_COMMANDS: Record<string, Command> = {
  'locales:import': {
    usage: 'locales:import <file> [--publish] [--commit] [--json]',
    about: [
      'Plans the import of locales from a CSV, XLSX or JSON file and prints a summary. Columns are mapped as in the last file',
      'with the same headings, otherwise by name. The plan is also at',
      '/admin/locales/import.',
      '  --publish  publishes new churches immediately, as not confirmed; otherwise they stay unpublished unless the file',
      '             says otherwise',
      '  --commit   also commits the plan if every step succeeds',
    ],
    run: importLocales,
  },
}

const FLAGS = { publish: { type: 'boolean' }, commit: { type: 'boolean' }, json: { type: 'boolean' } } as const

async function importLocales(args: string[], deps: CommandDeps): Promise<number> {
  const { values, positionals } = parse(args, { ...FLAGS }, 1)
  const file = firstOf(positionals)
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`Cannot open the file: ${error.message}`)
  })
  const countries = await currentCountries(deps)
  const adapter = localeImportAdapter({ countries: () => countries })
  const id = await saveUpload(deps.database, adapter, { bytes, name: path.basename(file).slice(0, 200) }, null)
  await inBackground(deps.database, 'import', (db) => saveNewLocalesOption(db, id, values.publish ?? false))
  const step = async (name: Step) => {
    await inBackground(deps.database, 'import', (db) => claimStep(db, adapter, id, name))
    await runStep(deps, adapter, { id, step: name, by: null })
  }
  await step('plan')
  if (values.commit) await step('commit')
  const { done, errors } = await inBackground(deps.database, 'import', async (db) => ({
    done: await findImport(db, adapter, id),
    errors: await findRows(db, adapter, id, { action: 'error', search: '', page: 1, per_page: ERRORS_SHOWN }),
  }))
  if (values.json) deps.print(JSON.stringify({ import: done, errors: errors.rows }, null, 2))
  else {
    const counts = Object.fromEntries(COUNTED.map((name) => [name, done.counts?.[name] ?? 0]))
    deps.print(
      table(['rows', ...Object.keys(counts), 'state'], [[done.row_count, ...Object.values(counts), done.status]]),
    )
    for (const { row_number, name, problems } of errors.rows)
      deps.print(
        `row ${row_number}: ${name ?? '-'}: ${problems.map((problem) => problemText(adapter, problem)).join(' ')}`,
      )
    if (errors.total > ERRORS_SHOWN) deps.print(`… and ${errors.total - ERRORS_SHOWN} more rows with errors`)
    if (done.refusal) deps.print(`Rejected (${done.refusal.code}): ${done.refusal.total} rows. Nothing was imported.`)
  }
  return done.refusal ? 1 : 0
}
