import type { ProfileStatus } from '#shared/accounts/profile.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { fill } from './fill.ts'
import { htmlOf } from './html.ts'
import { sentence } from './instruction-line.ts'
import { overrideOf, reportInvalidOverride, type TemplateOverride } from './overrides.ts'
import arabic from './texts/ar.json' with { type: 'json' }
import english from './texts/en.json' with { type: 'json' }
import tagalog from './texts/tl.json' with { type: 'json' }

/** The values each template needs. Links are absolute URLs; times are already formatted. */
export interface TemplateValues {
  'verify-email': { brand: string; link: string }
  'already-registered': { brand: string; link: string }
  'reset-password': { brand: string; link: string }
  'sign-in-link': { brand: string; link: string; minutes: number }
  'sign-in-code': { brand: string; code: string; minutes: number }
  welcome: { brand: string; name: string; link: string }
  /** Sent to the new address; the link confirms it. */
  'change-email': { brand: string; email: string; link: string }
  /** Sent to the new address once it is confirmed. */
  'email-changed': { brand: string; email: string }
  /** Sent to the previous address; the link undoes the change. */
  'sign-in-changed': { brand: string; change: SignInChangeKind; days: number; link: string }
  /** Sent after the change was undone; the link leads to support. */
  'sign-in-restored': { brand: string; link: string }
  'role-changed': { brand: string; name: string; role: Role; link: string }
  'status-changed': { brand: string; name: string; status: ProfileStatus; reason: string; link: string }
  'account-verified': { brand: string; name: string; link: string }
  /** A coordinator asks a pending user for one more detail; the link leads to their profile. */
  'account-question': { brand: string; name: string; question: string; link: string }
  /** An administrator created the account; the link sets the first password. */
  'account-created': { brand: string; name: string; role: Role; link: string }
  'account-erased': { brand: string }
  'test-mail': { brand: string; time: string }
  /** A visitor contacts a locale; the link leads to its servants, if they have accounts. */
  'locale-question': FromVisitor
  'locale-arrival': FromVisitor & { day: string }
  /** The link shows the locale's published data and confirms it. */
  'locale-confirm': { brand: string; name: string; place: string; days: number; link: string }
  /** Sent to the helper who is asked; the link leads to the list. */
  'roll-call-help': Announced
  'assistant-case': Announced
  /** Sent to the user who asked for help; the link leads to their answer. */
  'roll-call-taken': Announced
  /** Several locales of one coordinator; the link leads to their list. */
  'locales-confirm': { brand: string; name: string; count: number; link: string }
  /** A manual announcement in an administrator's own text. */
  announcement: Announced
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
  /** "Are you safe?": the link is individual and opens a page that takes the answer without signing in. */
  'roll-call': Announced
  /** Several advisories in one mail; the link leads to the frequency setting. */
  digest: { brand: string; name: string; count: number; items: Item[]; link: string; unsubscribe?: string | undefined }
}
interface Announced {
  brand: string
  /** Author, if it is a person. */
  writer_name?: string | undefined
  writer_role?: Role | undefined
  title: string
  message: string
  link?: string | undefined
  /** URL that unsubscribes from messages of this kind. */
  unsubscribe?: string | undefined
  /** What to do, in the source's wording; comes first, whatever the override of the template. */
  instruction?: string | undefined
  instruction_lead?: string | undefined
  /** BCP 47, if it differs from the recipient's language. */
  instruction_language?: string | undefined
  ask?: string | undefined
  /** The page with emergency numbers; ends urgent messages. */
  emergency?: string | undefined
  /** The emergency number of the country concerned. */
  emergency_phone?: string | undefined
}
/** A list entry with a link. */
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
  /** Answer buttons instead of the single one, by answer. */
  answers?: Record<string, string>
  /** Starts with the recipient's name. */
  greets?: boolean
  /** Sent on request of the user: says that it can be ignored. */
  isRequested?: boolean
  /** The short form, for a text message. */
  sms?: string
}
export interface Texts {
  hello: string
  ignore: string
  link: string
  /** Precedes the link to the emergency numbers. */
  emergency: string
  /** The same with the number to call. */
  emergency_call: string
  /** Names the author of a free-text message. */
  written_by: string
  sent_by: string
  /** Replaces it where replies go to a person. */
  sent_for: string
  unsubscribe: string
  roles: Record<Role, string>
  statuses: Record<ProfileStatus, string>
  /** The kinds of change to sign-in methods. */
  changes: Record<SignInChangeKind, string>
  /** Titles in the portal inbox. */
  inbox: Record<'sign-in-changed' | 'sign-in-restored', string>
  templates: Record<Template, Text>
}
export const TEXTS: Record<Language, Texts> = { en: english, ar: arabic, tl: tagalog }

/** Label of the emergency page link, with the number to call if one is known. */
export const emergencyLabel = (language: Language, phone: string | undefined): string =>
  phone ? fill(TEXTS[language].emergency_call, { phone }) : TEXTS[language].emergency

export interface Rendered {
  subject: string
  text: string
  html: string
  /** Absent if a template has no text message form. */
  sms: string | undefined
}

/** If empty, their whole line is omitted. */
const OPTIONAL = ['reason', 'message', 'spoken', 'snippet', 'source', 'dated']
const MAX_PARAGRAPHS = 50

/** Renders the message in the recipient's language, as plain text and HTML. */
export function render<T extends Template>(
  template: T,
  language: Language,
  values: TemplateValues[T],
  isAnswered = false,
): Rendered {
  return renderChecked(template, language, values, isAnswered)
}

/** The same for values of which only a check at run time says that they are those of the template. */
export function renderChecked(template: Template, language: Language, values: object, isAnswered = false): Rendered {
  const own: Text = TEXTS[language].templates[template]
  const changed = overrideOf(template, language)
  if (changed)
    try {
      return renderText(withOverride(own, changed), language, values, isAnswered)
    } catch (error) {
      reportInvalidOverride(template, (error as Error).message)
    }
  return renderText(own, language, values, isAnswered)
}

/**
 * Merges an override. Parts that the built-in template lacks are ignored: a button without a link, an unused text
 * message.
 */
export const withOverride = (own: Text, { subject, lines, button, sms }: TemplateOverride): Text => ({
  ...own,
  subject,
  lines,
  ...(own.button && button ? { button } : {}),
  ...(own.sms && sms ? { sms } : {}),
})

/** Renders a message from the text provided. */
export function renderText(text: Text, language: Language, values: object, isAnswered = false): Rendered {
  const texts = TEXTS[language]
  const tokens = tokensOf(texts, values)
  const link = tokens.link === undefined ? undefined : webAddress(tokens.link)
  const lines = (text.greets ? [texts.hello, ...text.lines] : text.lines)
    .filter((line) => OPTIONAL.every((name) => !line.includes(`{{${name}}}`) || tokens[name]))
    .flatMap((line) => (line === '{{message}}' ? paragraphsOf(tokens) : [line]))
  const items = 'items' in values ? (values.items as Item[]).map(itemOf) : []
  const buttons = link ? buttonsOf(text, link) : []
  const after = [...(tokens.writer_name ? [texts.written_by] : []), ...(text.isRequested ? [texts.ignore] : [])]
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

/** The instruction block: its introduction in the recipient's language, then the source's text in its own. */
function instructionFrom(tokens: Record<string, string>) {
  const { instruction = '', instruction_lead: lead = '', instruction_language: language, ask = '' } = tokens
  const text = sentence(instruction)
  return { lead, text, language, ask, line: [lead, text, ask].filter(Boolean).join(' ') }
}

/** Formatted values: roles and statuses in the recipient's language, everything on one line. */
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

/** Multi-line user text keeps its lines: each becomes a token. */
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

/** Without line breaks, which would start another header, and without bidirectional control characters. */
export const toSingleLine = (value: string) =>
  value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

/** A placeholder filled later, per recipient, already counts as a URL. */
function webAddress(link: string): string {
  if (/^\{\{\w+\}\}$/.test(link)) return link
  const { protocol, href } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link in a message leads to a page')
  return href
}
