import { firstOf, present } from '#shared/assert.ts'
import { directionOf, LANGUAGE_TAGS, type Language } from '#shared/language.ts'
import { fill } from './fill.ts'

const INK = '#131a26'
const MUTED = '#4b5666'
const PRIMARY = '#1e40af'
const FONT =
  "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic','Geeza Pro',Tahoma,Arial,sans-serif"

interface LabeledLink {
  label: string
  link: string
}

interface InstructionBlock {
  lead: string
  text: string
  language: string | undefined
  ask: string
}

/** A message as HTML: one column, inline styles, no remote content and no tracking. */
export function htmlOf(deps: {
  language: Language
  subject: string
  /** Comes before everything else. */
  instruction: InstructionBlock | undefined
  lines: string[]
  items: { title: string; link: string; instruction?: string | undefined }[]
  buttons: LabeledLink[]
  emergency: LabeledLink | undefined
  /** Above a written-out URL. */
  hint: string
  after: string[]
  sent: string
  /** Unsubscribes from messages of this kind. */
  unsubscribeLink: LabeledLink | undefined
  tokens: Record<string, string>
}): string {
  const { language, instruction, lines, items, buttons, emergency, after, unsubscribeLink, tokens } = deps
  // A name keeps its own text direction inside a sentence of the other.
  const filled = (text: string) => fill(escaped(text), tokens, (value) => `<bdi>${escaped(value)}</bdi>`)
  const paragraph = (text: string, style = '') => `<p style="margin:0 0 16px;${style}">${text}</p>`
  const small = `font-size:14px;color:${MUTED}`
  const body = [
    ...(instruction ? [paragraph(instructionMarkup(instruction), 'font-size:18px;font-weight:700')] : []),
    ...lines.map((line) => paragraph(filled(line))),
    ...items.map(({ title, instruction, link }) =>
      paragraph(
        `${anchor(link)} style="color:${PRIMARY}"><bdi>${escaped(title)}</bdi></a>${instruction ? `<br><bdi>${escaped(instruction)}</bdi>` : ''}`,
      ),
    ),
    ...(buttons.length > 0 ? [paragraph(buttons.map(buttonOf).join(' '))] : []),
    ...(buttons.length === 1 ? [paragraph(writtenOut(firstOf(buttons), deps.hint), small)] : []),
    ...(emergency
      ? [
          paragraph(
            `${anchor(emergency.link)} style="color:${PRIMARY};font-weight:700">${escaped(emergency.label)}</a>`,
          ),
        ]
      : []),
    ...after.map((line) => paragraph(filled(line), small)),
  ]
  return [
    '<!doctype html>',
    `<html lang="${LANGUAGE_TAGS[language]}" dir="${directionOf(language)}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light"><title>${escaped(deps.subject)}</title></head>`,
    `<body style="margin:0;padding:24px 16px;background:#f4f6fa;color:${INK};font:16px/1.6 ${FONT}">`,
    '<div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 12px;font-weight:700;color:${PRIMARY}"><bdi>${escaped(present(tokens.brand, 'a brand'))}</bdi></p>`,
    '<div style="padding:24px 24px 8px;background:#ffffff;border:1px solid #d6dce6;border-radius:8px">',
    ...body,
    '</div>',
    `<p style="margin:16px 0 0;${small}">${filled(deps.sent)}</p>`,
    ...(unsubscribeLink
      ? [
          `<p style="margin:8px 0 0;${small}">${anchor(unsubscribeLink.link)} style="color:${MUTED}">${escaped(unsubscribeLink.label)}</a></p>`,
        ]
      : []),
    '</div></body></html>',
    '',
  ].join('\n')
}

function instructionMarkup({ lead, text, language, ask }: InstructionBlock): string {
  const own = language
    ? `<span lang="${escaped(language)}" dir="${directionOf(language)}">${escaped(text)}</span>`
    : `<bdi>${escaped(text)}</bdi>`
  return [escaped(lead), own, escaped(ask)].filter(Boolean).join(' ')
}

const anchor = (link: string) => `<a href="${escaped(link)}" target="_blank" rel="noopener noreferrer"`

function buttonOf({ label, link }: LabeledLink): string {
  const style = `display:inline-block;margin:0 0 8px;padding:12px 20px;background:${PRIMARY};color:#ffffff;font-weight:700;text-decoration:none;border-radius:6px`
  return `${anchor(link)} style="${style}">${escaped(label)}</a>`
}

/** The URL of the button, for clients that do not show buttons. */
const writtenOut = ({ link }: LabeledLink, hint: string) =>
  `${escaped(hint)}<br>${anchor(link)} dir="ltr" style="color:${PRIMARY};overflow-wrap:anywhere">${escaped(link)}</a>`

/** Escapes text for markup, including attribute values. */
export const escaped = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] as string,
  )
