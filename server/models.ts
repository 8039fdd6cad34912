import { createAcknowledgments } from '#server/advisories/acknowledgments.ts'
import { AdvisoryModel } from '#server/advisories/model.ts'
import { createFactModel } from '#server/assistant/facts/model.ts'
import { createKnownNames } from '#server/assistant/knowledge/names.ts'
import { createLargeCities } from '#server/churches/large-cities.ts'
import { ChurchModel } from '#server/churches/model.ts'
import { createFaqModel } from '#server/content/model.ts'
import { createCountryModel } from '#server/countries/model.ts'
import type { Database } from '#server/db/connection.ts'
import { withReadTracking } from '#server/db/read-tracking.ts'
import { createOverrides } from '#server/delivery/templates/override-model.ts'
import { ReadModel } from '#server/readmodel/model.ts'
import { createSettings } from '#server/settings/settings.ts'
import type { Log } from './log.ts'

export type Models = ReturnType<typeof createModels>

/**
 * Models served from memory, and the read model that keeps them in step with the database. Not started yet. Every model
 * tracks reads, so that a cached response knows its tables.
 */
export function createModels(database: Database, log: Log) {
  const settings = withReadTracking(createSettings(log))
  const countries = withReadTracking(createCountryModel(log))
  const acknowledgments = createAcknowledgments()
  const advisories = withReadTracking(new AdvisoryModel({ settings, countries: countries.countries, acknowledgments }))
  const churches = withReadTracking(new ChurchModel({ database, countries: countries.countries }))
  const cities = createLargeCities(database)
  const faq = withReadTracking(createFaqModel())
  const facts = withReadTracking(createFactModel())
  const knownNames = withReadTracking(createKnownNames())
  const readModel = new ReadModel(
    database,
    log,
    [
      settings.cachedTable,
      createOverrides(log),
      countries.cachedTable,
      ...advisories.cachedTable,
      churches.cachedTable,
      faq.cachedTable,
      facts.cachedTable,
      knownNames.cachedTable,
    ],
    [acknowledgments.polled],
  )
  readModel.onChange((changes) => {
    if (changes.some(({ table, ids }) => table === churches.cachedTable.table && !ids)) churches.loadAllDetails(log)
  })
  return { settings, countries, advisories, churches, cities, faq, facts, knownNames, readModel }
}
