import { resolveAgain } from '#server/advisories/country-resolution.ts'
import { inFeeds, type SourceRun } from '#server/advisories/feeds/deps.ts'
import { runSourcesNow } from '#server/advisories/feeds/run.ts'
import { readSavedDocument, UnknownSourceError } from '#server/advisories/feeds/saved-document.ts'
import { registerSources } from '#server/advisories/sources.ts'
import { loadFacts } from '#server/assistant/facts/loader.ts'
import { loadKnowledge } from '#server/assistant/knowledge/starter-pages.ts'
import { loadFaq } from '#server/content/faq-loader.ts'
import { createCountries } from '#server/countries/reference.ts'
import { loadSample } from '#server/sample/advisories.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { stateOf } from '#shared/advisories/freshness.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { BACKUP_COMMANDS } from './backup.ts'
import { CHURCH_COMMANDS } from './churches.ts'
import { type Command, type CommandDeps, parse, UsageError } from './command.ts'
import { LOCALE_COMMANDS } from './locales.ts'
import { table } from './table.ts'

export const COMMANDS: Record<string, Command> = {
  migrate: {
    usage: 'migrate',
    about: ['Updates the database to this version of the portal.'],
    run: async (args, { migrated, print }) => {
      parse(args, {})
      print(migrated.length > 0 ? `Applied: ${migrated.join(', ')}` : 'Nothing to do: the database is up to date.')
      return 0
    },
  },
  'feeds:fetch': {
    usage: 'feeds:fetch [--source <id>] [--from <file, folder or URL>] [--json]',
    about: [
      'Fetches one source, or all that are turned on, and prints the results.',
      '--from reads a saved document instead, with these options:',
      '  --captured-on <YYYY-MM-DD>  marks the document as a copy from that day',
      '  --part                      the document is partial: missing entries are not withdrawn',
      '  --force                     reads it even if it is shorter or older than the current data',
    ],
    run: fetchFeeds,
  },
  'sources:list': {
    usage: 'sources:list [--json]',
    about: ['Lists the sources of advisories with id, freshness and last error.'],
    run: listSources,
  },
  'sample:load': {
    usage: 'sample:load',
    about: ['Loads dated copies of real advisories, the travel FAQ and fictional locales where there are none yet.'],
    run: async (args, deps) => {
      parse(args, {})
      if (!deps.isEmbedded)
        throw new UsageError('Sample content can only be loaded into the embedded database. Unset DATABASE_URL.')
      const runs = await loadSample(deps.database, deps.log)
      await inFeeds(deps, async (db) => {
        await loadFaq(db)
        await loadFacts(db)
        await loadKnowledge(db)
      })
      const locales = await loadSampleChurches(deps.database, deps.log)
      if (locales > 0) deps.print(`${locales} sample locales created.`)
      if (runs.length === 0) deps.print('Nothing to do: every sample source already has advisories.')
      else printRuns(runs, deps.print)
      return runs.some(({ status }) => status !== 'ok') ? 1 : 0
    },
  },
  'countries:alias': {
    usage: 'countries:alias <name> <code>',
    about: ['Maps an unresolved country name to a country (ISO code).'],
    run: addAlias,
  },
  ...LOCALE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...CHURCH_COMMANDS,
  ...BACKUP_COMMANDS,
}

async function fetchFeeds(args: string[], deps: CommandDeps): Promise<number> {
  const { values } = parse(args, {
    source: { type: 'string' },
    from: { type: 'string' },
    json: { type: 'boolean' },
    'captured-on': { type: 'string' },
    part: { type: 'boolean' },
    force: { type: 'boolean' },
  })
  const capturedOn = values['captured-on']
  if (!values.from && (capturedOn || values.part || values.force))
    throw new UsageError('--captured-on, --part and --force can only be used with --from.')
  if (capturedOn !== undefined && !isDay(capturedOn)) throw new UsageError('--captured-on needs a date as YYYY-MM-DD.')
  if (values.from && !values.source)
    throw new UsageError('--from also needs --source, which defines how to read the document.')
  await inFeeds(deps, registerSources)
  if (values.source) await mustExist(values.source, deps)
  const runs =
    values.from && values.source
      ? [
          await readSavedDocument(deps, values.source, values.from, {
            isPartial: values.part ?? false,
            isForced: values.force ?? false,
            ...(capturedOn ? { capturedOn } : {}),
          }),
        ]
      : await runSourcesNow(deps, values.source)
  if (values.json) deps.print(JSON.stringify({ runs }, null, 2))
  else printRuns(runs, deps.print)
  return runs.every(({ status }) => status === 'ok' || status === 'unchanged') ? 0 : 1
}

async function mustExist(sourceId: string, deps: CommandDeps): Promise<void> {
  const source = await inFeeds(deps, (db) =>
    db.selectFrom('advisory_sources').select('id').where('id', '=', sourceId).executeTakeFirst(),
  )
  if (!source) throw new UnknownSourceError(sourceId)
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}T`)
}

function printRuns(runs: SourceRun[], print: (text: string) => void): void {
  const headings = ['source', 'result', 'fetched', 'added', 'updated', 'unchanged', 'missing', 'unresolved', 'refused']
  const rows = runs.map(({ source, status, fetchStats: s }) => {
    const counts = [s.total_fetched, s.added, s.updated, s.unchanged, s.missing]
    return [source, status, ...counts, s.unresolved.length, s.refused.length]
  })
  print(table(headings, rows))
  for (const { source, error, fetchStats } of runs) {
    if (error) print(`\n${source}: ${error}`)
    for (const { item, name } of fetchStats.unresolved) print(`\n${source}: no country matches "${name}" (${item})`)
    for (const { item, reason } of fetchStats.refused) print(`\n${source}: refused "${item}": ${reason}`)
  }
}

async function listSources(args: string[], deps: CommandDeps): Promise<number> {
  const { values } = parse(args, { json: { type: 'boolean' } })
  const now = new Date()
  const sources = await inFeeds(deps, async (db) => {
    await registerSources(db)
    return db.selectFrom('advisory_sources').selectAll().orderBy('position').orderBy('id').execute()
  })
  const shown = sources.map((source) => ({ ...source, state: stateOf(source, now).state }))
  if (values.json) {
    deps.print(JSON.stringify({ sources: shown }, null, 2))
    return 0
  }
  const headings = ['id', 'name', 'state', 'entries', 'last reached', 'last changed', 'error']
  const rows = shown.map((s) => {
    const times = [s.last_success_at, s.last_change_at].map(
      (at) => at?.toISOString().slice(0, 16).replace('T', ' ') ?? '-',
    )
    return [
      s.id,
      s.name,
      s.captured_on ? `${s.state} ${s.captured_on}` : s.state,
      s.item_count,
      ...times,
      s.error ?? '-',
    ]
  })
  deps.print(table(headings, rows))
  return 0
}

async function addAlias(args: string[], deps: CommandDeps): Promise<number> {
  const [name = '', country = ''] = parse(args, {}, 2).positionals
  const [alias, code] = [name.trim(), country.toUpperCase()]
  const resolved = await inFeeds(deps, async (db) => {
    const known = await db.selectFrom('country_aliases').select(['alias', 'country_code as code']).execute()
    const countries = withAlias(
      known.filter((row) => row.alias !== alias),
      { alias, code },
    )
    const before = known.find((row) => row.alias === alias)
    await db
      .insertInto('country_aliases')
      .values({ alias, country_code: code })
      .onConflict((conflict) => conflict.column('alias').doUpdateSet({ country_code: code }))
      .execute()
    await db
      .insertInto('audit_log')
      .values({
        actor_id: null,
        actor_role: 'service',
        action: 'countries.alias',
        subject_type: 'country_alias',
        subject_id: alias,
        before: before ? JSON.stringify({ country_code: before.code }) : null,
        after: JSON.stringify({ country_code: code }),
        reason: 'command line',
      })
      .execute()
    return { name: countries.nameOf(code), advisories: await resolveAgain(db, countries) }
  })
  deps.print(
    `"${alias}" now stands for ${resolved.name} (${code}). Advisories that got a country: ${resolved.advisories}.`,
  )
  return 0
}

function withAlias(known: { alias: string; code: string }[], added: { alias: string; code: string }) {
  if (!added.alias) throw new UsageError('Give a name.')
  try {
    return createCountries([...known, added])
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
