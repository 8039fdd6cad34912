import { momentsOf } from '#server/churches/services.ts'
import type { Entities } from '#shared/assistant/intents.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { DAYS, type ServiceSchedule } from '#shared/churches/schedule.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Section } from '../drafts.ts'
import { actionsIn } from './actions.ts'
import { nameAndPlace, serviceTexts } from './church-text.ts'
import { askForPlace, findChurches, mapLocalesOf, noChurches } from './churches.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { localeSource } from './sources.ts'

const MAX_LOCALES = 3
const DAYS_AHEAD_MS = 60 * 86_400_000

/** Services of the churches of a place: all, or those of the requested day and kind. */
export async function gatherSchedules(deps: GatheringDeps, ctx: QuestionContext): Promise<Gathered> {
  const speech = speechOf(ctx.language)
  const found = await findChurches(deps, ctx)
  if (found === 'ask') return askForPlace(speech)
  if (found.locales.length === 0) return noChurches(deps, ctx, found)
  const { entities } = ctx.understood.analysis
  // Churches that have what was asked for come first, then those that publish times: the others have nothing to show.
  const entries = found.locales
    .map((locale) => ({ locale, services: wanted(locale, entities, ctx.now) }))
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, MAX_LOCALES)
  const locales = entries.map(({ locale }) => locale)
  const actions = actionsIn(speech)
  return {
    sections: entries.map(({ locale, services }) => section(locale, services, speech, ctx.now)),
    sources: locales.map(localeSource),
    mapLocales: mapLocalesOf(locales),
    quickActions: [...locales.slice(0, 2).map(({ id, name }) => actions.write(id, name)), actions.locator],
    warning: found.warning,
    found: entries.some(({ services }) => services.length > 0) ? 'all' : 'some',
  }
}

const rankOf = ({ locale, services }: { locale: FoundLocale; services: readonly ServiceSchedule[] }) =>
  services.length > 0 ? 2 : Number(hasTimes(locale))

const hasTimes = ({ service_schedules }: FoundLocale) => service_schedules.length > 0

function section(locale: FoundLocale, services: readonly ServiceSchedule[], speech: Speech, now: Date): Section {
  const records = [`locale:${locale.id}`]
  const { name } = locale
  const lead = { text: nameAndPlace(locale, speech), records }
  if (services.length > 0)
    return { lead, statements: serviceTexts(services, locale, speech, now).map((text) => ({ text, records })) }
  const none = hasTimes(locale) ? speech.say('schedule_none_such', { name }) : speech.say('schedule_none', { name })
  return { lead, statements: [{ text: none, records }] }
}

function wanted(locale: FoundLocale, { dayOfWeek, serviceType }: Entities, now: Date): ServiceSchedule[] {
  return locale.service_schedules.filter(
    (schedule) =>
      (!serviceType || schedule.service_type === serviceType) && (!dayOfWeek || isOn(schedule, locale, dayOfWeek, now)),
  )
}

/** The weekday of a recurrence rule follows from its next dates. */
function isOn(
  schedule: ServiceSchedule,
  locale: FoundLocale,
  day: NonNullable<Entities['dayOfWeek']>,
  now: Date,
): boolean {
  const index = DAYS.findIndex((name) => name.toLowerCase() === day)
  if (schedule.day_of_week !== null) return schedule.day_of_week === index
  const moments = momentsOf({ ...locale, schedules: [schedule] }, now, new Date(now.valueOf() + DAYS_AHEAD_MS))
  const timeZone = locale.timezone ?? 'UTC'
  return moments.some(
    ({ starts_at }) => new Date(starts_at).toLocaleDateString('en', { weekday: 'long', timeZone }) === DAYS[index],
  )
}
