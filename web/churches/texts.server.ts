import type { Language } from '#shared/language.ts'
import type { Translate } from '#web/lib/i18n.tsx'

type T = Translate<'localePhrases'>

/** '4.0 km', '17 km'; for a group that does not publish its address 'about 35 km', rounded to five. */
export function distanceText(t: T, km: number | null, isAbout: boolean): string {
  if (km === null) return ''
  if (isAbout) return t('distance_about', { km: whole(Math.max(5, Math.round(km / 5) * 5)) })
  return t('distance', { km: km < 9.95 ? Math.max(0.1, km).toFixed(1) : whole(Math.round(km)) })
}

const whole = (value: number) => value.toLocaleString('en')

/** Language names in the user's language: 'Japanese, English and Tagalog'. */
export function languagesText(language: Language, tags: readonly string[]): string {
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return new Intl.ListFormat(language, { type: 'unit' }).format(tags.map((tag) => nameOf(names, tag)))
}

export function languageText(language: Language, tag: string): string {
  return nameOf(new Intl.DisplayNames(language, { type: 'language' }), tag)
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    // An invalid, hand-written tag: show it as it is instead of failing.
    return tag
  }
}

const ROLES = ['local_servant', 'coordinator', 'assistant', 'secretary', 'contact'] as const

/** The role of a servant; a custom role set by an administrator is shown as it is. */
export function roleText(t: T, role: string): string {
  const known = ROLES.find((each) => each === role)
  if (known) return t(`role_${known}`)
  const text = role.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
