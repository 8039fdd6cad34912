import type { ProfileStatus } from '#shared/accounts/profile.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { htmlOf } from './html.ts'
import arabic from './texts/ar.json' with { type: 'json' }
import english from './texts/en.json' with { type: 'json' }

/** What each template needs. Links are whole addresses; times are already in words. */
export interface TemplateValues {
  'verify-email': { brand: string; link: string }
  'already-registered': { brand: string; link: string }
  'reset-password': { brand: string; link: string }
  'sign-in-link': { brand: string; link: string; minutes: number }
  'sign-in-code': { brand: string; code: string; minutes: number }
  welcome: { brand: string; name: string; link: string }
  /** To the new address; the link confirms it. */
  'change-email': { brand: string; email: string; link: string }
  /** To the old address; `email` is the new one, the link leads to support. */
  'email-changed': { brand: string; email: string; link: string }
  'password-changed': { brand: string; link: string }
  'role-changed': { brand: string; name: string; role: Role; link: string }
  'status-changed': { brand: string; name: string; status: ProfileStatus; reason: string; link: string }
  'account-verified': { brand: string; name: string; link: string }
  /** An administrator made the account; the link chooses the first password. */
  'account-created': { brand: string; name: string; role: Role; link: string }
  'account-erased': { brand: string }
  'test-mail': { brand: string; time: string }
}
export type Template = keyof TemplateValues

interface Text {
  subject: string
  lines: string[]
  button?: string
  /** Begins with the person's name. */
  greets?: boolean
  /** Sent because somebody asked: says that one may leave it. */
  isAsked?: boolean
  /** The short form, for a text message. */
  sms?: string
}
export interface Texts {
  hello: string
  ignore: string
  link: string
  sent_by: string
  roles: Record<Role, string>
  statuses: Record<ProfileStatus, string>
  templates: Record<Template, Text>
}
export const TEXTS: Record<Language, Texts> = { en: english, ar: arabic }

export interface Rendered {
  subject: string
  text: string
  html: string
  /** Absent where a template has no form for a text message. */
  sms: string | undefined
}

/** The message in the reader's language, as plain text and as HTML. */
export function render<T extends Template>(template: T, language: Language, values: TemplateValues[T]): Rendered {
  const texts = TEXTS[language]
  const words = wordsOf(texts, values)
  const text = texts.templates[template]
  const link = words.link === undefined ? undefined : webAddress(words.link)
  const lines = (text.greets ? [texts.hello, ...text.lines] : text.lines)
    // A reason that nobody gave leaves no empty line.
    .filter((line) => !line.includes('{{reason}}') || words.reason)
  const button = text.button && link ? { label: text.button, link, hint: texts.link } : undefined
  const after = text.isAsked ? [texts.ignore] : []
  const sent = fill(texts.sent_by, words)
  const filled = [...lines.map((line) => fill(line, words)), ...(link ? [link] : []), ...after, `-- \n${sent}`]
  return {
    subject: fill(text.subject, words).slice(0, 200).toWellFormed(),
    text: `${filled.join('\n\n')}\n`,
    html: htmlOf({ language, lines, button, after, sent: texts.sent_by, words }),
    sms: text.sms && fill(text.sms, words),
  }
}

/** The values as they are written: roles and states in the reader's language, everything on one line. */
function wordsOf(texts: Texts, values: object): Record<string, string> {
  const words = Object.entries(values).map(([name, value]) => {
    if (name === 'role') return [name, texts.roles[value as Role]]
    if (name === 'status') return [name, texts.statuses[value as ProfileStatus]]
    return [name, oneLine(String(value))]
  })
  return Object.fromEntries(words)
}

/** Without line breaks, which would begin another header, and without signs that turn the text around it. */
const oneLine = (value: string) =>
  value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

/** Fills every `{{name}}` once: what a value holds is never taken for a placeholder. */
export function fill(text: string, words: Record<string, string>, write = (word: string) => word): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const word = words[name]
    if (word === undefined) throw new Error(`The text of a message needs "${name}"`)
    return write(word)
  })
}

function webAddress(link: string): string {
  const { protocol, href } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link in a message leads to a page')
  return href
}
