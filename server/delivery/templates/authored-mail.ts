import { domainToASCII } from 'node:url'
import sanitizeHtml from 'sanitize-html'
import { isWithin } from '#server/http/domains.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { escaped } from './html.ts'
import { TEXTS, toSingleLine } from './render.ts'

/** Author of a message with free text. */
export interface Writer {
  name: string
  role: Role
}

interface Composed {
  text: string | null
  html: string | null
}

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'small', 'sub', 'sup', 'bdi', 'span', 'div'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a'],
]
/** Elements whose content is not text for a reader. */
const WITHOUT_TEXT = ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'svg', 'math', 'iframe']
const MAX_NESTING = 40

/**
 * Sanitised mail from an author's free text: a short list of elements, no styles, images, forms or scripts; links show
 * their target unless it is one of `domains`; plus a line naming the author. The text part says the same.
 */
export function composedMail({ text, html }: Composed, writer: Writer, language: Language, domains: readonly string[]) {
  const clean = html === null ? null : sanitizedHtml(html, domains)
  const signature = signatureOf(writer, language)
  return {
    text: `${plainLinks(text ?? textOf(clean ?? ''))}\n\n-- \n${signature}`,
    html: clean === null ? null : `<div>${clean}</div><hr /><p>${escaped(signature)}</p>`,
  }
}

/** "Written by Maria Santos, MFA coordinator." */
export const signatureOf = ({ name, role }: Writer, language: Language): string =>
  TEXTS[language].written_by
    .replace('{{writer_name}}', () => toSingleLine(name))
    .replace('{{writer_role}}', () => TEXTS[language].roles[role])

/** Markup that is safe in a mail client; a link outside `domains` shows its target. */
export function sanitizedHtml(html: string, domains: readonly string[]): string {
  const clean = sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: { a: ['href'], '*': ['dir', 'lang'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nonTextTags: WITHOUT_TEXT,
    nestingLimit: MAX_NESTING,
    transformTags: {
      '*': (tagName, { href, dir, lang }) => ({
        tagName,
        attribs: {
          ...(tagName === 'a' ? linkOf(href) : {}),
          ...(dir && /^(ltr|rtl|auto)$/.test(dir) ? { dir } : {}),
          ...(lang && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(lang) ? { lang } : {}),
        },
      }),
    },
  })
  return withTargets(clean, domains)
}

/** Absolute URLs only, with the host in ASCII form and without user info. */
function linkOf(href: string | undefined): Record<string, string> {
  const url = URL.parse(href?.trim() ?? '')
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return {}
  url.username = ''
  url.password = ''
  return { href: url.href }
}

/**
 * The output of sanitize-html is regular enough to find links by pattern. A nested link ends the outer one, as in
 * browsers, so that each shows its target after its text; one without a target is not a link.
 */
function withTargets(html: string, domains: readonly string[]): string {
  let open: { target: string | null } | null = null
  const closed = () => {
    const end = open ? `${open.target ? ` [${open.target}]` : ''}</a>` : ''
    open = null
    return end
  }
  const marked = html.replace(/<a( [^>]*)?>|<\/a>/g, (tag, attributes: string | undefined) => {
    const before = closed()
    const href = tag === '</a>' ? undefined : /^ href="([^"]*)"/.exec(attributes ?? '')?.[1]
    if (!href) return before
    open = { target: targetOf(href, domains) }
    return before + tag
  })
  return marked + closed()
}

/** Null: the link leads to an expected domain. */
function targetOf(href: string, domains: readonly string[]): string | null {
  const url = URL.parse(href.replaceAll('&amp;', '&'))
  if (!url) return null
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return escaped(decoded(url.pathname))
  return isWithin(url.hostname, domains) ? null : escaped(url.hostname)
}

function decoded(text: string): string {
  try {
    return toSingleLine(decodeURIComponent(text))
  } catch {
    return text
  }
}

/** The plain text version: each link with its address. */
function textOf(clean: string): string {
  const links = clean.replace(/<a href="(https?:[^"]*)"[^>]*>(.*?)<\/a>/gs, (_, href: string, label: string) => {
    const shown = label.replace(/<[^>]*>/g, '').replace(/ \[[^\]]*\]$/, '')
    return shown.trim() === href ? href : `${label} (${href})`
  })
  return (
    links
      .replace(/<br \/>|<\/(p|div|h\d|li|tr|blockquote|pre)>|<hr \/>/g, '\n')
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&nbsp;|\u00a0/g, ' ')
      .replace(/&amp;/g, '&')
      .replace(/\n{3,}/g, '\n\n')
      .trim() || ' '
  )
}

/** Whatever a mail client turns into a link: a URL with scheme, or a host name with a plausible ending. */
const ADDRESS =
  /\bhttps?:\/\/[^\s<>"'()]+|(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)(?![\p{L}\p{N}])/giu

/** URLs in text with the host in ASCII form, so that lookalike letters are visible. */
export const plainLinks = (text: string): string =>
  text.replace(ADDRESS, (found) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is what matters here
    if (/^[\x00-\x7f]*$/.test(found) && !found.includes('@')) return found
    if (!/^https?:/i.test(found)) return domainToASCII(found) || found
    const url = URL.parse(found)
    if (!url) return found
    url.username = ''
    url.password = ''
    return url.href
  })
