import { changeOwnProfile, getOwnProfile } from '#shared/accounts/own.ts'
import { searchCountries } from '#shared/countries/endpoints.ts'
import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { exactMatches } from '#web/countries/exact-match.ts'
import type { Submission } from '#web/lib/form-action.server.ts'
import { type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'

const MAX_OFFERED = 8

/** Removes a country from the user's list or adds one; an ambiguous name returns the candidates. */
export async function changeCountries(call: CallEndpoint, { text, context, flash }: Submission) {
  const profile = await call(getOwnProfile)
  const taken = text('remove')
  const wanted = taken ? [] : await meant(call, (text('code') || text('country')).trim())
  if (!taken && wanted.length !== 1) return unclear(wanted, visitorOf(context).language)
  const others = profile.countries.filter((code) => code !== taken && code !== wanted[0]?.code)
  const countries = [...others, ...wanted.map(({ code }) => code)]
  await call(changeOwnProfile, { body: { updated_at: profile.updated_at, countries } })
  return flash('/dashboard/profile#countries', 'countries')
}

function unclear(found: { code: string; name: string }[], language: Language) {
  const nameOf = nameIn(language)
  const matches = found.map(({ code, name }) => ({ code, name: nameOf(code, name) }))
  const error = matches.length > 0 ? 'Which of these do you mean?' : 'We do not know this country. Check the spelling.'
  return { matches, error: { error, code: 'unclear', fields: { country: error }, status: 422 } }
}

async function meant(call: CallEndpoint, name: string) {
  if (name === '') return []
  const { countries } = await call(searchCountries, { query: { search: name.slice(0, 100), limit: 60 } })
  const exact = countries.filter(({ code }) => code === name)
  if (exact.length === 1) return exact
  const named = exactMatches(countries, name)
  return named.length > 0 ? named : countries.slice(0, MAX_OFFERED)
}
