import { audit } from '#server/audit/audit-log.ts'
import { type Countries, createCountries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { AppError } from '#shared/errors.ts'
import { resolveAgain } from '../country-resolution.ts'
import type { WriteContext } from './mutations.ts'

/** Assigns a name to a country, and resolves all unresolved names again. */
export async function resolveName(
  db: Db,
  input: { name: string; country: string },
  { by, countries: known }: Pick<WriteContext, 'by' | 'countries'>,
): Promise<{ country_code: string; resolved: number }> {
  const country_code = known.find(input.country)?.code ?? known.resolve(input.country)
  if (!country_code) throw invalid({ country: 'We do not know this country. Check the spelling.' })
  const aliases = await db.selectFrom('country_aliases').select(['alias', 'country_code as code']).execute()
  const before = aliases.find(({ alias }) => alias === input.name)
  const countries = withAlias(
    aliases.filter(({ alias }) => alias !== input.name),
    { alias: input.name, code: country_code },
  )
  await db
    .insertInto('country_aliases')
    .values({ alias: input.name, country_code })
    .onConflict((conflict) => conflict.column('alias').doUpdateSet({ country_code }))
    .execute()
  const resolved = await resolveAgain(db, countries)
  await audit(db, by, {
    action: 'countries.alias',
    subject_type: 'country_alias',
    subject_id: input.name,
    before: before ? { country_code: before.code } : null,
    after: { country_code, resolved },
  })
  return { country_code, resolved }
}

/** Adds a name to the country reference. A name that another country already has is rejected. */
function withAlias(aliases: { alias: string; code: string }[], added: { alias: string; code: string }): Countries {
  const usable = aliases.filter((alias) => isUsable(alias))
  try {
    return createCountries([...usable, added])
  } catch {
    throw invalid({ name: 'Another country already has this name.' })
  }
}

function isUsable(alias: { alias: string; code: string }): boolean {
  try {
    createCountries([alias])
    return true
  } catch {
    return false
  }
}

/**
 * Removes an assigned name. Entries it resolved lose that country when their source is next read, because the document
 * mark changes.
 */
export async function removeAlias(db: Db, alias: string, { by }: Pick<WriteContext, 'by'>): Promise<void> {
  const removed = await db
    .deleteFrom('country_aliases')
    .where('alias', '=', alias)
    .returning('country_code')
    .executeTakeFirst()
  if (!removed) throw new AppError(404, 'alias_not_found', 'Name not found.')
  await audit(db, by, {
    action: 'countries.alias_removed',
    subject_type: 'country_alias',
    subject_id: alias,
    before: { country_code: removed.country_code },
  })
}
