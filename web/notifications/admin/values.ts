import { inEachLanguage, LANGUAGES, type Language } from '#shared/language.ts'
import type { AnnouncementBody, AnnouncementDetail } from '#shared/notifications/announcements.ts'
import type { ReminderRule } from '#shared/notifications/reminders.ts'
import { linesOf, type Message, personLine } from '#web/compose/message.ts'

/** Form values, each field with all of its values. */
export type FormValues = Record<string, string[]>

export const formValuesOf = (form: FormData): FormValues =>
  Object.fromEntries([...new Set(form.keys())].map((name) => [name, form.getAll(name).map(String)]))

/** Defaults of a new announcement. */
export const NOTHING: FormValues = { channels: ['in-app', 'email'], priority: ['medium'] }

/** Form values of an existing announcement. */
export function valuesOf({
  audience,
  channels,
  priority,
  texts,
  action_url,
  scheduled_local,
}: AnnouncementDetail): FormValues {
  return {
    roles: audience?.roles ?? [],
    countries: audience?.countries ?? [],
    chapters: audience?.chapters.map(({ id }) => id) ?? [],
    ...namedValues((audience?.people ?? []).map(personLine)),
    channels: channels ?? [],
    priority: [priority],
    ...textValues(texts),
    action_url: [action_url ?? ''],
    scheduled_for: [scheduled_local],
  }
}

/** Up to this many people are entries of their own; a longer list stays a list. */
const FEW_NAMED = 20

const namedValues = (lines: string[]): FormValues =>
  lines.length > FEW_NAMED ? { people: [lines.join('\n')] } : { found: lines }

/** Form values of what another kind of message had. */
export const valuesOfMessage = ({ texts, people, roles, countries, chapters }: Message): FormValues => ({
  ...NOTHING,
  ...textValues(texts),
  ...{ roles, countries, chapters },
  ...namedValues(people),
})

/** Everyone named in the form, in the order of the request. */
export const linesIn = (values: FormValues) => [...linesOf(values.people?.[0]), ...(values.found ?? [])]

/** The request body; validated by the endpoint. */
export function bodyOf(values: FormValues, isSketch: boolean): AnnouncementBody {
  const first = (name: string) => values[name]?.[0] ?? ''
  return {
    audience: {
      roles: (values.roles ?? []) as never[],
      countries: values.countries ?? [],
      chapters: values.chapters ?? [],
      people: linesIn(values),
    },
    channels: (values.channels ?? []) as never[],
    priority: (first('priority') || 'medium') as never,
    texts: textsFrom(values),
    action_url: first('action_url'),
    scheduled_for: first('scheduled_for'),
    is_sketch: isSketch,
  }
}

/** Form values of a rule. */
export function valuesOfRule({
  enabled,
  reminder_offsets,
  priority,
  delivery_methods,
  texts,
}: ReminderRule): FormValues {
  return {
    ...(enabled ? { enabled: ['on'] } : {}),
    reminder_offsets: [reminder_offsets.join(' ')],
    priority: [priority],
    delivery_methods,
    ...textValues(texts),
  }
}

/** '24 2' as numbers; anything else is rejected by the endpoint. */
export const hoursOf = (text: string): number[] =>
  text
    .split(/[,;،\s]+/)
    .filter(Boolean)
    .map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN))

/** The fields `title_en`, `message_en`, … of texts. */
function textValues(texts: Partial<Record<Language, { title: string; message: string } | undefined>>): FormValues {
  const fields = LANGUAGES.flatMap((language) => [
    [`title_${language}`, [texts[language]?.title ?? '']],
    [`message_${language}`, [texts[language]?.message ?? '']],
  ])
  return Object.fromEntries(fields)
}

/** The texts of a form, in every language; empty where nothing was written. */
const textsFrom = (values: FormValues) =>
  inEachLanguage((language) => ({
    title: values[`title_${language}`]?.[0] ?? '',
    message: values[`message_${language}`]?.[0] ?? '',
  }))

/** Those of a reminder rule: Tagalog is optional, the others are not. */
export function ruleTexts(values: FormValues) {
  const { tl, ...texts } = textsFrom(values)
  return tl.title === '' && tl.message === '' ? texts : { ...texts, tl }
}
