import type { ProfileStatus } from '#shared/accounts/profile.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { htmlOf } from './html.ts'
import { sentence } from './instruction-line.ts'
import { overrideOf, reportInvalidOverride, type TemplateOverride } from './overrides.ts'
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
  /** To the new address, once it is that of the account. */
  'email-changed': { brand: string; email: string }
  /** To the owner at the address from before the change; the link undoes it. */
  'sign-in-changed': { brand: string; change: SignInChangeKind; days: number; link: string }
  /** After that; the link leads to support. */
  'sign-in-restored': { brand: string; link: string }
  'role-changed': { brand: string; name: string; role: Role; link: string }
  'status-changed': { brand: string; name: string; status: ProfileStatus; reason: string; link: string }
  'account-verified': { brand: string; name: string; link: string }
  /** A coordinator asks a person whose account waits for one more detail; the link leads to her profile. */
  'account-question': { brand: string; name: string; question: string; link: string }
  /** An administrator made the account; the link chooses the first password. */
  'account-created': { brand: string; name: string; role: Role; link: string }
  'account-erased': { brand: string }
  'test-mail': { brand: string; time: string }
  /** A visitor writes to a locale; the link leads to those who look after it, where they have accounts. */
  'locale-question': FromVisitor
  'locale-arrival': FromVisitor & { day: string }
  /** The link shows what is published of the locale, and confirms it. */
  'locale-confirm': { brand: string; name: string; place: string; days: number; link: string }
  /** To whoever is asked to help; the link leads to the list. */
  'roll-call-help': Announced
  'assistant-case': Announced
  /** To whoever asked for help; the link leads to her answer. */
  'roll-call-taken': Announced
  /** Several locales of one coordinator; the link leads to their list. */
  'locales-confirm': { brand: string; name: string; count: number; link: string }
  /** What an administrator tells many at once, in words of her own. */
  notice: Announced
  reminder: Announced
  advisory: Announced & {
    name: string
    severity: string
    countries: string
    reason?: string | undefined
    snippet?: string | undefined
    source?: string | undefined
    dated?: string | undefined
  }
  /** "Are you safe?": the link is the reader's own and leads to a page that takes the answer without signing in. */
  'roll-call': Announced
  /** Several advisories in one mail; the link leads to where one chooses how often it comes. */
  digest: { brand: string; name: string; count: number; items: Item[]; link: string; unsubscribe?: string | undefined }
}
interface Announced {
  brand: string
  /** Who wrote it, where that is a person. */
  writer_name?: string | undefined
  writer_role?: Role | undefined
  title: string
  message: string
  link?: string | undefined
  /** Address that ends messages like this one. */
  unsubscribe?: string | undefined
  /** What to do, in the words of its source: comes first, whatever administrators made of the other words. */
  instruction?: string | undefined
  instruction_lead?: string | undefined
  /** BCP 47, where it is not the reader's language. */
  instruction_language?: string | undefined
  ask?: string | undefined
  /** The page with the numbers to call; ends what is urgent. */
  emergency?: string | undefined
  /** The number to call in the country it is about. */
  emergency_phone?: string | undefined
}
/** A line of a list that leads somewhere. */
export interface Item {
  title: string
  link: string
  /** What to do. */
  instruction?: string | undefined
}
interface FromVisitor {
  brand: string
  place: string
  sender: string
  contact: string
  message: string
  spoken: string
  link?: string | undefined
}
export type Template = keyof TemplateValues

export interface Text {
  subject: string
  lines: string[]
  button?: string
  /** Buttons in place of the one, by the answer each gives. */
  answers?: Record<string, string>
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
  /** Before the page with the numbers to call. */
  emergency: string
  /** The same with the number to call. */
  emergency_call: string
  /** In a message in words of its writer. */
  written_by: string
  sent_by: string
  /** In place of it where an answer goes to a person. */
  sent_for: string
  unsubscribe: string
  roles: Record<Role, string>
  statuses: Record<ProfileStatus, string>
  /** What changed about how somebody signs in. */
  changes: Record<SignInChangeKind, string>
  /** Titles in the inbox of the portal. */
  inbox: Record<'sign-in-changed' | 'sign-in-restored', string>
  templates: Record<Template, Text>
}
export const TEXTS: Record<Language, Texts> = { en: english, ar: arabic }

/** What stands before the link to the emergency page: with the number to call, where one is known. */
export const emergencyLabel = (language: Language, phone: string | undefined): string =>
  phone ? fill(TEXTS[language].emergency_call, { phone }) : TEXTS[language].emergency

export interface Rendered {
  subject: string
  text: string
  html: string
  /** Absent where a template has no form for a text message. */
  sms: string | undefined
}

/** Left out with the line they stand in, where nobody gave them. */
const OPTIONAL = ['reason', 'message', 'spoken', 'snippet', 'source', 'dated']
const MAX_PARAGRAPHS = 50

/** The message in the reader's language, as plain text and as HTML. */
export function render<T extends Template>(
  template: T,
  language: Language,
  values: TemplateValues[T],
  isAnswered = false,
): Rendered {
  const own: Text = TEXTS[language].templates[template]
  const changed = overrideOf(template, language)
  if (changed)
    try {
      return written(mixed(own, changed), language, values, isAnswered)
    } catch (error) {
      reportInvalidOverride(template, (error as Error).message)
    }
  return written(own, language, values, isAnswered)
}

/** What has no place in the portal's own words gets none: a button without a link, a text message nobody sends. */
export const mixed = (own: Text, { subject, lines, button, sms }: TemplateOverride): Text => ({
  ...own,
  subject,
  lines,
  ...(own.button && button ? { button } : {}),
  ...(own.sms && sms ? { sms } : {}),
})

/** A message in given words. */
export function written(text: Text, language: Language, values: object, isAnswered = false): Rendered {
  const texts = TEXTS[language]
  const tokens = tokensOf(texts, values)
  const link = tokens.link === undefined ? undefined : webAddress(tokens.link)
  const lines = (text.greets ? [texts.hello, ...text.lines] : text.lines)
    .filter((line) => OPTIONAL.every((name) => !line.includes(`{{${name}}}`) || tokens[name]))
    .flatMap((line) => (line === '{{message}}' ? paragraphsOf(tokens) : [line]))
  const items = 'items' in values ? (values.items as Item[]).map(itemOf) : []
  const buttons = link ? buttonsOf(text, link) : []
  const after = [...(tokens.writer_name ? [texts.written_by] : []), ...(text.isAsked ? [texts.ignore] : [])]
  const instruction = tokens.instruction ? instructionFrom(tokens) : undefined
  const emergency = tokens.emergency
    ? { label: emergencyLabel(language, tokens.emergency_phone), link: webAddress(tokens.emergency) }
    : undefined
  const unsubscribeLink = tokens.unsubscribe
    ? { label: texts.unsubscribe, link: webAddress(tokens.unsubscribe) }
    : undefined
  const sentBy = isAnswered ? texts.sent_for : texts.sent_by
  const filled = [
    ...(instruction ? [instruction.line] : []),
    ...lines.map((line) => fill(line, tokens)),
    ...items.map(({ title, instruction, link }) => [`- ${title}`, instruction, link].filter(Boolean).join('\n  ')),
    ...(text.answers ? buttons.map(({ label, link }) => `${label}: ${link}`) : link ? [link] : []),
    ...(emergency ? [`${emergency.label} ${emergency.link}`] : []),
    ...after.map((line) => fill(line, tokens)),
    `-- \n${fill(sentBy, tokens)}${unsubscribeLink ? `\n${unsubscribeLink.label}: ${unsubscribeLink.link}` : ''}`,
  ]
  const subject = fill(text.subject, tokens).slice(0, 200).toWellFormed()
  return {
    subject,
    text: `${filled.join('\n\n')}\n`,
    html: htmlOf({
      ...{ language, subject, instruction, lines, items, buttons, emergency },
      ...{ hint: texts.link, after, sent: sentBy, unsubscribeLink, tokens },
    }),
    sms: text.sms && fill(text.sms, tokens),
  }
}

function buttonsOf({ button, answers }: Text, link: string): { label: string; link: string }[] {
  if (answers) return Object.entries(answers).map(([answer, label]) => ({ label, link: `${link}?answer=${answer}` }))
  return button ? [{ label: button, link }] : []
}

const itemOf = ({ title, link, instruction }: Item): Item => ({
  title: toSingleLine(title),
  link: webAddress(link),
  ...(instruction ? { instruction: toSingleLine(instruction) } : {}),
})

/** What to do as it is written: who says it in the reader's language, then the source's words in theirs. */
function instructionFrom(tokens: Record<string, string>) {
  const { instruction = '', instruction_lead: lead = '', instruction_language: language, ask = '' } = tokens
  const text = sentence(instruction)
  return { lead, text, language, ask, line: [lead, text, ask].filter(Boolean).join(' ') }
}

/** The values as they are written: roles and states in the reader's language, everything on one line. */
function tokensOf(texts: Texts, values: object): Record<string, string> {
  const entries = Object.entries(values).filter(([name, value]) => value !== undefined && name !== 'items')
  const tokens = entries.flatMap(([name, value]): [string, string][] => {
    if (name === 'role' || name === 'writer_role') return [[name, texts.roles[value as Role]]]
    if (name === 'change') return [[name, texts.changes[value as SignInChangeKind]]]
    if (name === 'status') return [[name, texts.statuses[value as ProfileStatus]]]
    return name === 'message' ? messageTokens(String(value)) : [[name, toSingleLine(String(value))]]
  })
  return Object.fromEntries(tokens)
}

/** What somebody wrote in several lines keeps them: each is a word of its own. */
function messageTokens(message: string): [string, string][] {
  const lines = message
    .split(/[\r\n]+/)
    .map(toSingleLine)
    .filter(Boolean)
    .slice(0, MAX_PARAGRAPHS)
  return [['message', lines.join(' ')], ...lines.map((line, at): [string, string] => [`message_${at}`, line])]
}

const paragraphsOf = (tokens: Record<string, string>) =>
  Object.keys(tokens)
    .filter((name) => /^message_\d+$/.test(name))
    .map((name) => `{{${name}}}`)

/** Without line breaks, which would begin another header, and without signs that turn the text around it. */
export const toSingleLine = (value: string) =>
  value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

/** Fills every `{{name}}` once: what a value holds is never taken for a placeholder. */
export function fill(text: string, tokens: Record<string, string>, write = (value: string) => value): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = tokens[name]
    if (value === undefined) throw new Error(`The text of a message needs "${name}"`)
    return write(value)
  })
}

/** A place that is filled later, for each reader, is an address already. */
function webAddress(link: string): string {
  if (/^\{\{\w+\}\}$/.test(link)) return link
  const { protocol, href } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link in a message leads to a page')
  return href
}
