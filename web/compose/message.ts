import { inEachLanguage, LANGUAGES, type Language } from '#shared/language.ts'
import type { Access } from '#shared/roles.ts'
import type { IconName } from '#web/ui/Icon.tsx'

export const MESSAGE_KINDS = ['roll_call', 'announcement', 'advisory'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The page on which each kind of message is written, and who may write it. */
export const COMPOSERS: Record<MessageKind, { path: string; access: Access; icon: IconName }> = {
  roll_call: { path: '/admin/roll-calls/new', access: 'rollCalls', icon: 'hands' },
  announcement: { path: '/admin/notifications/new', access: 'composeAnnouncements', icon: 'mail' },
  advisory: { path: '/admin/travel-advisories/new', access: 'manageAdvisories', icon: 'shield' },
}

/** What the kinds have in common. A form shows some of it and carries the rest along in a hidden field. */
export interface Message {
  texts: Record<Language, { title: string; message: string }>
  /** ISO codes. */
  countries: string[]
  /** Country names of an advisory that are not in the list. */
  places: string[]
  chapters: string[]
  roles: string[]
  /** Lines that name people. */
  people: string[]
  /** The advisory that a roll call is about. */
  advisory: string
}

export const EMPTY_MESSAGE: Message = {
  texts: inEachLanguage(() => ({ title: '', message: '' })),
  ...{ countries: [], places: [], chapters: [], roles: [], people: [], advisory: '' },
}

/** The text of a kind that has only one: in English, else in the first language written. */
export function mainText({ texts }: Pick<Message, 'texts'>) {
  const language = LANGUAGES.find((of) => texts[of].title !== '' || texts[of].message !== '') ?? 'en'
  return { language, ...texts[language] }
}

/** The message with this text in place of its main one. */
export function withMainText(message: Message, text: { title: string; message: string }): Message {
  return { ...message, texts: { ...message.texts, [mainText(message).language]: text } }
}

const MAX_LINES = 5_000

/** The hidden field `carried` of a form; it comes from outside, so everything in it is checked. */
export function carriedIn(field: unknown): Message {
  const sent = objectIn(field)
  const texts = objectOf(sent.texts)
  return {
    texts: inEachLanguage((language) => {
      const { title, message } = objectOf(texts[language])
      return { title: textOf(title), message: textOf(message) }
    }),
    countries: listOf(sent.countries).filter((code) => /^[A-Z]{2}$/.test(code)),
    places: listOf(sent.places),
    chapters: listOf(sent.chapters),
    roles: listOf(sent.roles),
    people: listOf(sent.people),
    advisory: textOf(sent.advisory),
  }
}

function objectIn(field: unknown): Record<string, unknown> {
  if (typeof field !== 'string') return {}
  try {
    return objectOf(JSON.parse(field))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? { ...value } : {}) as Record<string, unknown>
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, MAX_LINES) : []

/** The lines of a text area that names people. */
export const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split(/[\r\n;,]+/)
    .map((line) => line.trim())
    .filter(Boolean)

/** 'Ana Cruz <ana@example.org>': the name stays with the address, since the form knows no other. */
export const personLine = ({ name, email }: { name: string; email: string }) =>
  `${name.replace(/[<>\r\n;,]/g, ' ').trim()} <${email}>`
