import { redirectDocument } from 'react-router'
import { changeOwnProfile, getOwnProfile } from '#shared/accounts/own.ts'
import type { InputOf } from '#shared/api.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { resultOf, revalidateAfterConflict } from '#web/lib/form-result.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import { zonesByRegion } from '#web/lib/zones.server.ts'
import type { Route } from './+types/AboutPage'
import { AboutForm } from './AboutForm.tsx'
import { CountriesSection, type Country } from './CountriesSection.tsx'
import { changeCountries } from './countries.server.ts'
import { EmergencyForm } from './EmergencyForm.tsx'
import { PhotoSection } from './PhotoSection.tsx'
import { changePhoto, removePhoto } from './photo.server.ts'

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

/** Raw form values; validated by the server. */
type Body = InputOf<'PUT /account/profile'>['body']

const HERE = '/dashboard/profile'
/** The largest photo, with the overhead of the form encoding. */
const MAX_BYTES = 6 * 1024 * 1024

export const action = formAction<{ matches: Country[] }>(
  {
    about: async (call, { values, context, flash }) => {
      const { first_name = '', last_name = '', display_name = '', updated_at = '' } = values
      const { preferred_language } = await call(changeOwnProfile, {
        body: {
          ...{ updated_at, first_name, last_name, display_name },
          preferred_language: values.preferred_language as Body['preferred_language'],
          time_zone: values.time_zone || null,
          country_code: values.country_code || null,
        },
      })
      // A changed language takes effect with a new document.
      if (preferred_language !== visitorOf(context).language)
        throw redirectDocument(flash(`${HERE}?lng=${preferred_language}#about`, 'about'))
      return flash(`${HERE}#about`, 'about')
    },
    emergency: async (call, { values, flash }) => {
      const { name = '', relation = '', phone = '', updated_at = '' } = values
      await call(changeOwnProfile, { body: { updated_at, emergency_contact: { name, relation, phone } } })
      return flash(`${HERE}#emergency`, 'emergency')
    },
    countries: changeCountries,
    photo: changePhoto,
    'remove-photo': removePhoto,
  },
  { maxBytes: MAX_BYTES },
)

// Reloads what was saved in the meantime, to show it beside the form values.
export const shouldRevalidate = revalidateAfterConflict

export default function AboutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { profile, countries, zones, done } = loaderData
  return (
    <>
      <AboutForm
        profile={profile}
        countries={countries}
        zones={zones}
        tried={resultOf(actionData, 'about')}
        isDone={done === 'about'}
      />
      <CountriesSection
        profile={profile}
        countries={countries}
        tried={resultOf(actionData, 'countries')}
        isDone={done === 'countries'}
      />
      <EmergencyForm profile={profile} tried={resultOf(actionData, 'emergency')} isDone={done === 'emergency'} />
      <PhotoSection
        profile={profile}
        tried={resultOf(actionData, 'photo') ?? resultOf(actionData, 'remove-photo')}
        done={done}
      />
    </>
  )
}
