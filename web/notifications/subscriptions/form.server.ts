import { data, redirect } from 'react-router'
import { searchCountries } from '#shared/countries/endpoints.ts'
import type { Language } from '#shared/language.ts'
import { subscribe, updateSubscription } from '#shared/notifications/subscriptions.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { exactMatches } from '#web/countries/exact-match.ts'
import { attempt, type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { bodyOf, type Values, valuesFrom } from './values.ts'

export const SUBSCRIPTIONS = '/dashboard/subscriptions'
const MAX_OFFERED = 8

export interface Answer {
  values: Values
  error?: FormError
  /** Candidates for an ambiguous name. */
  matches?: { code: string; name: string }[]
}

/**
 * Handles a subscription form: adds a country to it, or saves it. The selection is preserved either way, so that
 * countries can be added one by one without scripts.
 */
export async function answerForm(context: { get: (key: never) => unknown }, request: Request, id: string | null) {
  const { language } = visitorOf(context as never)
  const form = await request.formData()
  const values = valuesFrom(form)
  const chosen = String(form.get('code') ?? '')
  const { done, error } = await attempt(context as never, async (call) => {
    const found = chosen ? [{ code: chosen, name: chosen }] : await meant(call, values.country)
    const [only, ...others] = found
    if (values.country !== '' && (!only || others.length > 0)) return { unclear: found }
    const added = only && (values.country !== '' || chosen) ? withCountry(values, only.code) : values
    if (form.get('intent') !== 'save') return { added }
    await save(call, added, id)
    return {}
  })
  if (error) return data<Answer>({ values, error }, error.status)
  if (done.unclear) return unclear(values, done.unclear, language)
  if (done.added) return data<Answer>({ values: done.added })
  throw redirect(`${SUBSCRIPTIONS}?done=saved`)
}

const withCountry = (values: Values, code: string): Values => ({
  ...values,
  isEverywhere: false,
  countries: [...new Set([...values.countries, code])],
  country: '',
})

async function save(call: CallEndpoint, values: Values, id: string | null) {
  if (!values.isEverywhere && values.countries.length === 0) throw nothingChosen()
  if (id) await call(updateSubscription, { params: { id }, body: bodyOf(values) })
  else await call(subscribe, { body: bodyOf(values) })
}

/** An empty list would mean every country, which the user did not choose. */
const nothingChosen = () =>
  Object.assign(new Error('Please correct the marked fields.'), {
    status: 422,
    code: 'invalid_input',
    fields: { countries: 'Choose a country' },
  })

function unclear(values: Values, found: { code: string; name: string }[], language: Language) {
  const nameOf = nameIn(language)
  const matches = found.map(({ code, name }) => ({ code, name: nameOf(code, name) }))
  const error = matches.length > 0 ? 'Which of these do you mean?' : 'We do not know this country. Check the spelling.'
  const formError: FormError = { error, code: 'unclear', fields: { country: error }, status: 422 }
  return data<Answer>({ values, error: formError, matches }, 422)
}

async function meant(call: CallEndpoint, name: string) {
  if (name === '') return []
  const { countries } = await call(searchCountries, { query: { search: name, limit: 60 } })
  const named = exactMatches(countries, name)
  return named.length > 0 ? named : countries.slice(0, MAX_OFFERED)
}
