import { directionOf, type Language } from '#shared/language.ts'
import { fill } from './templates.ts'

const INK = '#131a26'
const MUTED = '#4b5666'
const PRIMARY = '#1e40af'
const FONT =
  "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic','Geeza Pro',Tahoma,Arial,sans-serif"

/** A message as HTML: one column, styles on the elements, nothing fetched and nothing counted. */
export function htmlOf(parts: {
  language: Language
  lines: string[]
  button: { label: string; link: string; hint: string } | undefined
  after: string[]
  sent: string
  words: Record<string, string>
}): string {
  const { language, lines, button, after, words } = parts
  // A name keeps its own direction inside a sentence of the other.
  const filled = (text: string) => fill(escaped(text), words, (word) => `<bdi>${escaped(word)}</bdi>`)
  const paragraph = (text: string, style = '') => `<p style="margin:0 0 16px;${style}">${text}</p>`
  const small = `font-size:14px;color:${MUTED}`
  const body = [
    ...lines.map((line) => paragraph(filled(line))),
    ...(button ? [...buttonOf(button).map((text, at) => paragraph(text, at ? small : ''))] : []),
    ...after.map((line) => paragraph(filled(line), small)),
  ]
  return [
    '<!doctype html>',
    `<html lang="${language}" dir="${directionOf(language)}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light"></head>',
    `<body style="margin:0;padding:24px 16px;background:#f4f6fa;color:${INK};font:16px/1.6 ${FONT}">`,
    '<div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 12px;font-weight:700;color:${PRIMARY}"><bdi>${escaped(words.brand!)}</bdi></p>`,
    '<div style="padding:24px 24px 8px;background:#ffffff;border:1px solid #d6dce6;border-radius:8px">',
    ...body,
    '</div>',
    `<p style="margin:16px 0 0;${small}">${filled(parts.sent)}</p>`,
    '</div></body></html>',
    '',
  ].join('\n')
}

/** The one button, and its address written out for where buttons are not shown. */
function buttonOf({ label, link, hint }: { label: string; link: string; hint: string }): string[] {
  const anchor = `<a href="${escaped(link)}" target="_blank" rel="noopener noreferrer"`
  const style = `display:inline-block;padding:12px 20px;background:${PRIMARY};color:#ffffff;font-weight:700;text-decoration:none;border-radius:6px`
  return [
    `${anchor} style="${style}">${escaped(label)}</a>`,
    `${escaped(hint)}<br>${anchor} dir="ltr" style="color:${PRIMARY};overflow-wrap:anywhere">${escaped(link)}</a>`,
  ]
}

/** Text inside of markup, also inside of an attribute. */
export const escaped = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] as string,
  )
