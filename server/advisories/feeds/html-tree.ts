import sanitizeHtml from 'sanitize-html'
import { lastOf } from '#shared/assert.ts'
import { cleanText } from './text.ts'

/** An element of sanitised HTML. Its text is plain, not escaped; attributes are escaped and safe. */
export interface Element {
  tag: string
  attributes: string
  children: (Element | string)[]
  /** The inline element of the source this one continues: one <strong> around two paragraphs becomes two elements. */
  from?: Inline
}
interface Inline {
  tag: string
  attributes: string
}

// Far above any advisory seen so far. sanitize-html takes quadratic time over unclosed elements.
const MAX_HTML = 500_000
const MAX_TAGS = 10_000
const MAX_TEXT = 60_000
const INLINE: Record<string, string> = { strong: 'strong', b: 'strong', em: 'em', i: 'em', a: 'a' }
export const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const TEXT_BLOCKS = ['p', ...HEADINGS]
const CELLS = ['td', 'th', 'caption']
const ROW_GROUPS = ['thead', 'tbody', 'tfoot']
const TABLE_TAGS = ['tr', ...CELLS, ...ROW_GROUPS]
// Elements that only separate the text before them from the text after.
const DIVISIONS =
  'div section article header footer main aside nav figure figcaption address details summary dl dt dd pre hr form fieldset center'
// Their text is code or a fallback, never part of the message.
const WITHOUT_TEXT =
  'script style textarea option noscript noembed noframes iframe object xmp template svg math title head'
const ALLOWED_TAGS = [
  ...Object.keys(INLINE),
  ...HEADINGS,
  ...TABLE_TAGS,
  ...['p', 'br', 'ul', 'ol', 'li', 'blockquote', 'table'],
  ...DIVISIONS.split(' '),
]

/**
 * Parses any HTML into a small tree of allowed elements, each where HTML permits it. sanitize-html applies the
 * allow-list first; its output is regular, so a pattern can split it into tokens.
 */
export function parseTree(html: string, baseUrl?: string): Element {
  const builder = new TreeBuilder()
  const allowed = sanitizeHtml(bounded(html), allowList(baseUrl))
  for (const [, slash, tag = '', attributes = '', text] of allowed.matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^>]*?)\/?>|([^<]+)/g,
  )) {
    if (builder.isFull) break
    if (text !== undefined) builder.addText(text)
    else if (slash) builder.close(tag)
    else builder.open(tag, attributes.trim())
  }
  return builder.root
}

function bounded(html: string): string {
  let end = -1
  for (let tags = 0; tags <= MAX_TAGS; tags++) {
    end = html.indexOf('<', end + 1)
    if (end < 0) return html.slice(0, MAX_HTML)
  }
  return html.slice(0, Math.min(end, MAX_HTML))
}

function allowList(baseUrl?: string): sanitizeHtml.IOptions {
  return {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { a: ['href'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan', 'scope'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nonTextTags: WITHOUT_TEXT.split(' '),
    nestingLimit: 60,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs.href, baseUrl) }),
      td: (tagName, attribs) => ({ tagName, attribs: cellAttributes(attribs) }),
      th: (tagName, attribs) => ({ tagName, attribs: cellAttributes(attribs) }),
    },
  }
}

function linkAttributes(href: string | undefined, baseUrl: string | undefined): sanitizeHtml.Attributes {
  const url = URL.parse(href?.trim() ?? '', baseUrl)
  const isAllowed = url && ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)
  // "https://travel.state.gov@example.com" can impersonate another host.
  return href?.trim() && isAllowed && !url.username && !url.password ? { href: url.href } : {}
}

function cellAttributes({ colspan, rowspan, scope }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const isCount = (value: string) => /^[1-9]\d?$/.test(value)
  return {
    ...(colspan && isCount(colspan) && { colspan }),
    ...(rowspan && isCount(rowspan) && { rowspan }),
    ...(scope && /^(row|col|rowgroup|colgroup)$/.test(scope) && { scope }),
  }
}

/**
 * Places every element where HTML allows it: text in paragraphs, entries in lists, cells in rows, no block inside p.
 */
class TreeBuilder {
  readonly root: Element = { tag: '', attributes: '', children: [] }
  private readonly stack: Element[] = [this.root]
  private inlines: Inline[] = []
  private length = 0

  get isFull() {
    return this.length >= MAX_TEXT
  }

  open(tag: string, attributes: string) {
    if (INLINE[tag]) this.openInline(INLINE[tag], attributes)
    else if (tag === 'br') this.lineBreak()
    else if (tag === 'li') this.openItem()
    else if (TABLE_TAGS.includes(tag)) this.openTableTag(tag, attributes)
    else this.openBlock(tag)
  }

  close(tag: string) {
    if (INLINE[tag]) {
      const last = this.inlines.findLastIndex((inline) => inline.tag === INLINE[tag])
      this.inlines = this.inlines.filter((_, i) => i !== last)
    } else if (isDivision(tag)) this.closeText()
    else this.closeThrough(tag)
  }

  addText(text: string) {
    const clean = preserveEdges(unescapeHtml(text)).slice(0, MAX_TEXT - this.length)
    if (clean.trim() === '' && !this.isInLine()) return
    if (['', 'blockquote', 'ul', 'ol', 'table', 'tr', ...ROW_GROUPS].includes(this.top.tag)) this.openBlock('p')
    this.length += clean.length
    this.innermost().children.push(this.isFull ? `${clean}…` : clean)
  }

  private get top() {
    return lastOf(this.stack)
  }

  private isInLine() {
    return this.top.children.length > 0 && [...TEXT_BLOCKS, 'li', ...CELLS].includes(this.top.tag)
  }

  private push(tag: string, attributes = '') {
    const element = { tag, attributes, children: [] }
    this.top.children.push(element)
    this.stack.push(element)
  }

  private openInline(tag: string, attributes: string) {
    if (tag === 'a') this.inlines = this.inlines.filter((inline) => inline.tag !== 'a')
    this.inlines.push({ tag, attributes })
  }

  /** The element that text is added to: the open block, inside a copy of each open inline element. */
  private innermost(): Element {
    let element = this.top
    for (const inline of this.inlines) {
      if (inline.tag === 'a' ? !inline.attributes : element.tag === inline.tag) continue
      const last = element.children.at(-1)
      if (typeof last === 'object' && last.from === inline) element = last
      else {
        const copy: Element = { ...inline, children: [], from: inline }
        element.children.push(copy)
        element = copy
      }
    }
    return element
  }

  private lineBreak() {
    const last = this.top.children.at(-1)
    // Editors without paragraphs write one as two line breaks in a row.
    if (typeof last === 'object' && last.tag === 'br' && this.top.tag === 'p') this.closeText()
    else if (this.isInLine()) this.top.children.push({ tag: 'br', attributes: '', children: [] })
  }

  private openBlock(tag: string) {
    if (tag === 'p' && HEADINGS.includes(this.top.tag)) return
    this.closeText()
    if (isDivision(tag)) return
    if (['ul', 'ol'].includes(this.top.tag)) this.resumeItem()
    this.openCell()
    this.push(tag)
  }

  /** Content of a table outside its cells gets a cell of its own. */
  private openCell() {
    if (this.top.tag === 'table' || ROW_GROUPS.includes(this.top.tag)) this.push('tr')
    if (this.top.tag === 'tr') this.push('td')
  }

  /** A list directly inside a list belongs to the entry before it. */
  private resumeItem() {
    const last = this.top.children.at(-1)
    if (typeof last === 'object' && last.tag === 'li') this.stack.push(last)
    else this.push('li')
  }

  private openItem() {
    if (!this.closeUpTo(['ul', 'ol'], ['', 'blockquote', 'table', ...CELLS])) {
      this.closeText()
      this.openCell()
      this.push('ul')
    }
    this.push('li')
  }

  private openTableTag(tag: string, attributes: string) {
    const parents = CELLS.slice(0, 2).includes(tag)
      ? ['tr', 'table', ...ROW_GROUPS]
      : tag === 'tr'
        ? ['table', ...ROW_GROUPS]
        : ['table']
    if (!this.closeUpTo(parents, [''])) return this.closeText()
    if (CELLS.slice(0, 2).includes(tag) && this.top.tag !== 'tr') this.push('tr')
    this.push(tag, attributes)
  }

  private closeText() {
    if (TEXT_BLOCKS.includes(this.top.tag)) this.stack.pop()
  }

  private closeThrough(tag: string) {
    if (this.stack.some((element) => element.tag === tag)) while (this.stack.pop()?.tag !== tag);
  }

  private closeUpTo(tags: string[], barriers: string[]): boolean {
    const target = this.stack.findLastIndex((element) => tags.includes(element.tag) || barriers.includes(element.tag))
    if (!tags.includes(this.stack[target]?.tag ?? '')) return false
    this.stack.length = target + 1
    return true
  }
}

function isDivision(tag: string): boolean {
  return ` ${DIVISIONS} `.includes(` ${tag} `)
}

/** Like cleanText, but a space at either edge still separates this run from the next. */
function preserveEdges(text: string): string {
  const clean = cleanText(text)
  if (!clean) return /\s/.test(text) ? ' ' : ''
  return `${/^\s/.test(text) ? ' ' : ''}${clean}${/\s$/.test(text) ? ' ' : ''}`
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}
