import { createAcknowledgments } from './advisories/acknowledgments.ts'
import { createAdvisoryModel } from './advisories/model.ts'
import { createFactModel } from './assistant/facts/model.ts'
import { createKnownNames } from './assistant/knowledge/names.ts'
import { createChurchModel } from './churches/model.ts'
import { createFaqModel } from './content/model.ts'
import { createCountryModel } from './countries/model.ts'
import type { Database } from './db/connection.ts'
import type { Log } from './log.ts'
import { createWordings } from './messages/wordings.ts'
import { createReadModel } from './readmodel/model.ts'
import { withReadTracking } from './readmodel/reads.ts'
import { createSettings } from './settings/settings.ts'

export type Models = ReturnType<typeof createModels>

/**
 * What the portal answers from memory, and the read model that keeps it as the database has it. Still to be started.
 * Every model is `noted`, so that a cached answer knows what it was made from.
 */
export function createModels(database: Database, log: Log) {
  const settings = withReadTracking(createSettings(log))
  const countries = withReadTracking(createCountryModel(log))
  const acknowledgments = createAcknowledgments()
  const advisories = withReadTracking(
    createAdvisoryModel({ settings, countries: countries.countries, acknowledgments }),
  )
  const churches = withReadTracking(createChurchModel({ database, countries: countries.countries }))
  const faq = withReadTracking(createFaqModel())
  const facts = withReadTracking(createFactModel())
  const knownNames = withReadTracking(createKnownNames())
  const readModel = createReadModel(
    database,
    log,
    [
      settings.cachedTable,
      createWordings(log),
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
  return { settings, countries, advisories, churches, faq, facts, knownNames, readModel }
}
