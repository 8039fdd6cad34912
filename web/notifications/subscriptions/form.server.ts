import { searchCountries } from '#shared/countries/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { subscribe, updateSubscription } from '#shared/notifications/subscriptions.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { exactMatches } from '#web/countries/exact-match.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { bodyOf, type Values, valuesFrom } from './values.ts'

export const SUBSCRIPTIONS = '/dashboard/subscriptions'
const MAX_OFFERED = 8

interface Shown {
  entered: Values
  /** Candidates for an ambiguous name. */
  matches: { code: string; name: string }[]
  error: FormError
}
export type Answer = FormResult & Partial<Shown>

/**
 * Handles a subscription form: adds a country to it, or saves it. The selection is preserved either way, so that
 * countries can be added one by one without scripts.
 */
export const actOnSubscription = formAction<Partial<Shown>>(
  async (call, { id, form, text, context, flash }) => {
    const entered = valuesFrom(form)
    const chosen = text('code')
    const found = chosen ? [{ code: chosen, name: chosen }] : await meant(call, entered.country)
    const [only, ...others] = found
    if (entered.country !== '' && (!only || others.length > 0))
      return { entered, ...unclear(found, visitorOf(context).language) }
    const added = only && (entered.country !== '' || chosen) ? withCountry(entered, only.code) : entered
    if (text('intent') !== 'save') return { entered: added }
    await save(call, added, id)
    return flash(SUBSCRIPTIONS, 'saved')
  },
  { onError: async (_error, { form }) => ({ entered: valuesFrom(form) }) },
)

const withCountry = (values: Values, code: string): Values => ({
  ...values,
  isEverywhere: false,
  countries: [...new Set([...values.countries, code])],
  country: '',
})

async function save(call: CallEndpoint, values: Values, id: string) {
  if (!values.isEverywhere && values.countries.length === 0) throw nothingChosen()
  if (id) await call(updateSubscription, { params: { id }, body: bodyOf(values) })
  else await call(subscribe, { body: bodyOf(values) })
}

/** An empty list would mean every country, which the user did not choose. */
const nothingChosen = () =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: { countries: 'Choose a country' } })

function unclear(found: { code: string; name: string }[], language: Language) {
  const nameOf = nameIn(language)
  const matches = found.map(({ code, name }) => ({ code, name: nameOf(code, name) }))
  const error = matches.length > 0 ? 'Which of these do you mean?' : 'We do not know this country. Check the spelling.'
  return { matches, error: { error, code: 'unclear', fields: { country: error }, status: 422 } }
}

async function meant(call: CallEndpoint, name: string) {
  if (name === '') return []
  const { countries } = await call(searchCountries, { query: { search: name, limit: 60 } })
  const named = exactMatches(countries, name)
  return named.length > 0 ? named : countries.slice(0, MAX_OFFERED)
}
