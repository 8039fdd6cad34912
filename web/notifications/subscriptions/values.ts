import type { Channel } from '#shared/delivery/kinds.ts'
import type { Language } from '#shared/language.ts'
import type { Subscription } from '#shared/notifications/subscriptions.ts'

/** Form values of a subscription, saved or not. */
export interface Values {
  isEverywhere: boolean
  countries: string[]
  severity_levels: string[]
  advisory_types: string[]
  channels: string[]
  language: string
  urgent_only: boolean
  /** A name entered but not added yet. */
  country: string
}

export function valuesOf(subscription: Subscription): Values {
  const { countries, severity_levels, advisory_types, channels, language, urgent_only } = subscription
  const isEverywhere = countries.length === 0
  return { isEverywhere, countries, severity_levels, advisory_types, channels, language, urgent_only, country: '' }
}

export function valuesFrom(form: FormData): Values {
  const all = (name: string) => form.getAll(name).map(String)
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    isEverywhere: text('where') === 'everywhere',
    countries: [...new Set(all('countries'))],
    severity_levels: all('severity_levels'),
    advisory_types: all('advisory_types'),
    channels: all('channels'),
    language: text('language'),
    urgent_only: text('urgent_only') === 'on',
    country: text('country').slice(0, 100),
  }
}

/** The request body; validated by the endpoint. */
export function bodyOf({ isEverywhere, country: _, ...values }: Values) {
  return {
    ...values,
    countries: isEverywhere ? [] : values.countries,
  } as {
    countries: string[]
    severity_levels: Subscription['severity_levels']
    advisory_types: Subscription['advisory_types']
    channels: Channel[]
    language: Language
    urgent_only: boolean
  }
}
