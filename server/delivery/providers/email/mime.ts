import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWords, foldLines } from 'nodemailer/lib/mime-funcs'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { MessageContent, OutboundMessage } from '../../outbound-message.ts'
import { escaped } from '../../templates/html.ts'
import { fillText, tokenValue } from '../../templates/placeholders.ts'
import { toSingleLine } from '../../templates/render.ts'

/** Composes a message in MIME format, before SMTP dot-stuffing. */
export type WriteMail = (message: OutboundMessage, to: string, messageId: string, now: Date) => Promise<Buffer>

/** Recipient-specific headers, shared headers, and body parts with placeholders. */
interface Form {
  headers: string
  /** Null: the subject is part of the shared headers. */
  subject: string | null
  pieces: Piece[]
}
type Piece = string | { name: string; isMarkup: boolean }

/** Maximum connections to a mail provider. */
export const MAX_AT_ONCE = 20

const CRLF = '\r\n'
/** One less than allowed, since a soft line break adds a character. */
const LINE = 75
const PLACE = /\{\{(\w+)\}\}/
const TEXT = 'TheTextStandsHere'
const HTML = 'TheMarkupStandsHere'

/**
 * Composes mail of one sender. What all recipients of the same content share is composed once; each copy adds only its
 * placeholder values and individual headers.
 */
export function mailWriter(from: string): WriteMail {
  const forms = {
    whole: new WeakMap<MessageContent, Promise<Form>>(),
    personal: new WeakMap<MessageContent, Promise<Form>>(),
  }
  return async (message, to, messageId, now) => {
    const { content, personal } = message
    const known = personal ? forms.personal : forms.whole
    if (!known.has(content)) known.set(content, composeForm(message.extras.from ?? from, content, personal !== null))
    const form = await known.get(content)!
    const body = form.pieces.map((piece) => (typeof piece === 'string' ? piece : quotedValue(piece, personal!)))
    const subject = form.subject === null ? '' : subjectHeader(fillText(message, form.subject))
    const own = ownHeaders(message, to, messageId, now)
    return Buffer.from([own, subject, form.headers, CRLF, ...body].join(''))
  }
}

/** Deterministic, so that the receiving side can recognise a duplicate. */
export const messageIdOf = (key: string, domain: string) => `<${hash('sha256', key).slice(0, 40)}@${domain}>`

/** Address in the form used in envelopes and headers; undefined if invalid. */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || /[\s\p{Cc}<>]/u.test(text) || !text.isWellFormed()) return undefined
  const host = domainToASCII(domain)
  if (!host || !/^[\w.-]+$/.test(host)) return undefined
  const isPlain = /^[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+(\.[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+)*$/u.test(
    name,
  )
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`}@${host}`
}

/** The Reply-To address in header form. */
export const answersTo = ({ replyTo }: OutboundMessage) => (replyTo && mailAddress(replyTo)) || undefined

/** Headers for one-click unsubscribing in mail clients (RFC 8058). */
export const unsubscribeHeaders = ({ unsubscribeUrl }: OutboundMessage): Record<string, string> =>
  unsubscribeUrl
    ? {
        'List-Unsubscribe': `<${new URL(unsubscribeUrl).href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {}

function ownHeaders(message: OutboundMessage, to: string, messageId: string, now: Date): string {
  const answers = answersTo(message)
  const others = Object.entries({ ...unsubscribeHeaders(message), ...message.extras.headers })
  return [
    `To: <${to}>`,
    ...(answers ? [`Reply-To: <${answers}>`] : []),
    `Message-ID: ${messageId}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    // A long value starts on a new line.
    ...others.map(([name, value]) => `${name}:${name.length + value.length > LINE ? CRLF : ''} ${value}`),
    '',
  ].join(CRLF)
}

async function composeForm(from: string, content: MessageContent, hasPlaces: boolean): Promise<Form> {
  const { subject, text, html, language } = content
  const hasOwnSubject = hasPlaces && PLACE.test(subject)
  const composed = await new MailComposer({
    from,
    ...(hasOwnSubject ? {} : { subject: subjectOf(subject) }),
    text: part(TEXT),
    ...(html === null ? {} : { html: part(HTML) }),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  const whole = composed.toString('utf8')
  const end = whole.indexOf(CRLF + CRLF)
  const headers = `${whole.slice(0, end)}${CRLF}`.replace(/^(Date|Message-ID):.*\r\n([ \t].*\r\n)*/gim, '')
  const body = whole.slice(end + 2 * CRLF.length)
  const [before = '', ...after] = body.split(TEXT)
  const [between = '', last] = after.join(TEXT).split(HTML)
  const pieces = [
    before,
    ...encoded(text, false, hasPlaces),
    between,
    ...(last === undefined ? [] : [...encoded(html!, true, hasPlaces), last]),
  ]
  return { headers, subject: hasOwnSubject ? subject : null, pieces: joined(pieces) }
}

const part = (content: string) => ({ content, contentTransferEncoding: 'quoted-printable' as const })

/** Quoted-printable, with soft line breaks around each placeholder so that no value makes a line too long. */
function encoded(text: string, isMarkup: boolean, hasPlaces: boolean): Piece[] {
  const parts = hasPlaces ? text.split(PLACE) : [text]
  return parts.flatMap((part, at): Piece[] => {
    if (at % 2 === 1) return [{ name: part, isMarkup }]
    const breaksBefore = at > 0 && !/^[\r\n]/.test(part) && (part !== '' || at < parts.length - 1)
    const breaksAfter = at < parts.length - 1 && part !== '' && !part.endsWith('\n')
    return [`${breaksBefore ? `=${CRLF}` : ''}${quoted(part)}${breaksAfter ? `=${CRLF}` : ''}`]
  })
}

const joined = (pieces: Piece[]) =>
  pieces.reduce<Piece[]>((all, piece) => {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else all.push(piece)
    return all
  }, [])

const quoted = (text: string) => wrap(encode(text.toWellFormed().replace(/\r\n?|\n/g, CRLF)), LINE)

function quotedValue(
  { name, isMarkup }: { name: string; isMarkup: boolean },
  personal: Record<string, string>,
): string {
  const value = tokenValue(name, personal)
  return quoted(isMarkup ? escaped(value) : value)
}

const MAX_OF_SUBJECT = 200
export const subjectOf = (text: string) => toSingleLine(text).slice(0, MAX_OF_SUBJECT).toWellFormed()
const subjectHeader = (text: string) =>
  `${foldLines(`Subject: ${encodeWords(subjectOf(text), 'B', 52, true)}`, 76)}${CRLF}`
