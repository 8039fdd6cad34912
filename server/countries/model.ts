import type { Log } from '../log.ts'
import type { Held } from '../readmodel/model.ts'
import { type Alias, type Countries, createCountries } from './reference.ts'

/** The country reference together with the names an administrator added, in memory. */
export function createCountryModel(log: Log): { held: Held; countries: () => Countries } {
  let countries = createCountries()
  const held: Held = {
    table: 'country_aliases',
    async load(db) {
      const rows = await db
        .selectFrom('country_aliases')
        .select(['alias', 'country_code as code'])
        .orderBy('alias')
        .execute()
      countries = createCountries(rows.filter((row) => isUsable(row, log)))
    },
  }
  return { held, countries: () => countries }
}

/** An alias that takes a name away from another country is left out: the reference itself must always stand. */
function isUsable(alias: Alias, log: Log): boolean {
  try {
    createCountries([alias])
    return true
  } catch (error) {
    log.warn({ alias: alias.alias, reason: (error as Error).message }, 'a country alias cannot be used')
    return false
  }
}
