import type { Entities } from '#shared/assistant/intents.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Section } from '../drafts.ts'
import type { PhraseKey } from '../phrases/phrases.ts'
import { phrasesOf } from '../phrases/phrases.ts'
import { actionsIn } from './actions.ts'
import { nameAndPlace } from './church-text.ts'
import { askForPlace, findChurches, mapLocalesOf, noChurches } from './churches.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { localeSource } from './sources.ts'

const MAX_LOCALES = 3

/** Contacts of the churches of a place: only published ones, and the portal's contact form. */
export async function gatherContacts(deps: GatheringDeps, ctx: QuestionContext): Promise<Gathered> {
  const speech = speechOf(ctx.language)
  const actions = actionsIn(speech)
  const found = await findChurches(deps, ctx)
  if (found === 'ask') {
    const ask = askForPlace(speech)
    return { ...ask, quickActions: [...(ask.quickActions ?? []), actions.person] }
  }
  if (found.locales.length === 0) return noChurches(deps, ctx, found)
  // Churches that publish what was asked for come first.
  const entries = found.locales
    .map((locale) => ({ locale, ...contactsOf(locale, ctx.understood.analysis.entities, speech) }))
    .sort((a, b) => Number(b.isMatch) - Number(a.isMatch))
    .slice(0, MAX_LOCALES)
  const locales = entries.map(({ locale }) => locale)
  const phone = locales.find((locale) => locale.phone)?.phone
  return {
    sections: entries.map(({ locale, contacts }) => section(locale, contacts, speech)),
    sources: locales.map(localeSource),
    mapLocales: mapLocalesOf(locales),
    quickActions: [
      ...(phone ? [actions.call(phone)] : []),
      ...locales.slice(0, 2).map(({ id, name }) => actions.write(id, name)),
    ],
    warning: found.warning,
    found: entries.some(({ isMatch }) => isMatch) ? 'all' : 'some',
  }
}

function section(locale: FoundLocale, contacts: readonly string[], speech: Speech): Section {
  const { id, name } = locale
  const records = [`locale:${id}`]
  const all = [
    ...(contacts.length > 0 ? contacts : [speech.say('contact_none', { name })]),
    speech.say('contact_write', { name }),
  ]
  return { lead: { text: nameAndPlace(locale, speech), records }, statements: all.map((text) => ({ text, records })) }
}

interface Contacts {
  contacts: string[]
  isMatch: boolean
}

/** The requested contact if it is published, otherwise all published ones. */
function contactsOf(locale: FoundLocale, { contactType, role }: Entities, speech: Speech): Contacts {
  const { phone, email, address_line1, address_line2, city, servants } = locale
  const address = [address_line1, address_line2, city].filter(Boolean).join(', ')
  const by = {
    phone: phone ? [speech.say('contact_phone', { phone })] : [],
    email: email ? [speech.say('contact_email', { email })] : [],
    address: address_line1 ? [speech.say('contact_address', { address })] : [],
  }
  const servantLines = servants
    .filter((servant) => role === null || role === 'worker' || servant.role === role)
    .flatMap(({ role, name, contact }) =>
      name === null ? [] : [[servantText(role, name, speech), ...(contact ? [speech.name(contact)] : [])].join(' · ')],
    )
  const all = [...by.phone, ...by.email, ...by.address, ...servantLines]
  const wanted = role ? servantLines : contactType ? by[contactType] : all
  return { contacts: wanted.length > 0 ? wanted : all, isMatch: wanted.length > 0 }
}

/** A role without a translation is shown as entered. */
function servantText(role: string, name: string, speech: Speech): string {
  const key = `role_${role}`
  const isKnown = Object.hasOwn(phrasesOf('en'), key)
  return speech.say('contact_servant', { role: isKnown ? speech.plain(key as PhraseKey) : role, name })
}
