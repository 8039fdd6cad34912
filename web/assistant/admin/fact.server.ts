import { confirmFact, deleteFact, saveFact } from '#shared/assistant/facts.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { bodyOf, newFactId } from './fact-values.ts'
import { FACTS, factPath } from './paths.ts'

/** All actions of the fact forms. A new fact is saved under an id of its own, so that saving twice is one fact. */
export const actOnFact = formAction(
  {
    confirm: async (call, { id, flash }) => {
      await call(confirmFact, { params: { id } })
      return flash(factPath(id), 'fact_confirmed')
    },
    save: async (call, { id, values, flash }) => {
      const { fact } = await call(saveFact, { params: { id: id || newFactId(values) }, body: bodyOf(values) })
      return flash(factPath(fact.id), 'fact_saved')
    },
    delete: async (call, { id, flash }) => {
      await call(deleteFact, { params: { id } })
      return flash(FACTS, 'fact_deleted')
    },
  },
  { byField: true },
)
