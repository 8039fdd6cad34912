import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { CachedTable } from '#server/readmodel/model.ts'
import { type Alias, type Countries, createCountries } from './reference.ts'

/** In-memory country reference, including the names an administrator added. */
export function createCountryModel(log: Log): { cachedTable: CachedTable; countries: () => Countries } {
  let countries = createCountries()
  const cachedTable: CachedTable = {
    table: 'country_aliases',
    async load(db) {
      countries = countriesWith(await aliasesOf(db), log)
    },
  }
  return { cachedTable, countries: () => countries }
}

/** The reference as it is in the database now, for processes that have no models in memory. */
export async function currentCountries({ database, log }: { database: Database; log: Log }): Promise<Countries> {
  return countriesWith(await inBackground(database, 'countries', aliasesOf), log)
}

const aliasesOf = (db: Db): Promise<Alias[]> =>
  db.selectFrom('country_aliases').select(['alias', 'country_code as code']).orderBy('alias').execute()

/**
 * The reference with all valid added names. One that would take a name from another country is skipped and logged: a
 * single row must never stop the feeds or the portal.
 */
export function countriesWith(aliases: readonly Alias[], log: Log): Countries {
  return createCountries(aliases.filter((alias) => isUsable(alias, log)))
}

function isUsable(alias: Alias, log: Log): boolean {
  try {
    createCountries([alias])
    return true
  } catch (error) {
    log.warn({ alias: alias.alias, reason: (error as Error).message }, 'a country alias cannot be used')
    return false
  }
}
