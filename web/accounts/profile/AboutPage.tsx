import { redirect, redirectDocument } from 'react-router'
import { changeOwnProfile, getOwnProfile } from '#shared/accounts/own.ts'
import type { InputOf } from '#shared/api.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import { zonesByRegion } from '#web/lib/zones.server.ts'
import type { Route } from './+types/AboutPage'
import { AboutForm } from './AboutForm.tsx'
import { CountriesSection } from './CountriesSection.tsx'
import { changeCountries } from './countries.server.ts'
import { EmergencyForm } from './EmergencyForm.tsx'
import { rereadAfterConflict } from './failed-form.ts'
import { PhotoSection } from './PhotoSection.tsx'
import { changePhoto, removePhoto } from './photo.server.ts'
import { failed, readForm } from './submitted-form.server.ts'

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { compare } = new Intl.Collator(language)
  return {
    profile: await api(context)(getOwnProfile),
    countries: allNames(language).sort((a, b) => compare(a.name, b.name)),
    zones: zonesByRegion(),
    done: new URL(request.url).searchParams.get('done'),
  }
}

type Body = InputOf<'PUT /account/profile'>['body']
/** Raw form values; validated by the server. */
type Change = { [K in keyof Body]?: Body[K] | string }

export async function action({ context, request }: Route.ActionArgs) {
  const { language } = visitorOf(context)
  const { intent, form, text, values } = await readForm(request)
  if (intent === 'countries') return changeCountries(context, { text, values, language })
  if (intent === 'photo') return changePhoto(context, form)
  if (intent === 'remove-photo') return removePhoto(context)
  const updated_at = text('updated_at')
  const save = (change: Change) =>
    attempt(context, (call) => call(changeOwnProfile, { body: { updated_at, ...change } as Body }))
  if (intent === 'emergency') {
    const contact = { name: text('name'), relation: text('relation'), phone: text('phone') }
    const { error } = await save({ emergency_contact: contact })
    if (error) return failed(intent, error, { values, matches: undefined })
    throw redirect('/dashboard/profile?done=emergency#emergency')
  }
  const { done, error } = await save({
    first_name: text('first_name'),
    last_name: text('last_name'),
    display_name: text('display_name'),
    preferred_language: text('preferred_language'),
    time_zone: text('time_zone') || null,
    country_code: text('country_code') || null,
  })
  if (error) return failed('about', error, { values, matches: undefined })
  // A changed language takes effect with a new document.
  if (done.preferred_language !== language)
    throw redirectDocument(`/dashboard/profile?lng=${done.preferred_language}&done=about#about`)
  throw redirect('/dashboard/profile?done=about#about')
}

// Reloads what was saved in the meantime, to show it beside the form values.
export const shouldRevalidate = rereadAfterConflict

export default function AboutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { profile, countries, zones, done } = loaderData
  const failedAs = (intent: string) => (actionData?.intent === intent ? actionData : undefined)
  return (
    <>
      <AboutForm
        profile={profile}
        countries={countries}
        zones={zones}
        tried={failedAs('about')}
        isDone={done === 'about'}
      />
      <CountriesSection
        profile={profile}
        countries={countries}
        tried={failedAs('countries')}
        isDone={done === 'countries'}
      />
      <EmergencyForm profile={profile} tried={failedAs('emergency')} isDone={done === 'emergency'} />
      <PhotoSection profile={profile} tried={failedAs('photo')} done={done} />
    </>
  )
}
