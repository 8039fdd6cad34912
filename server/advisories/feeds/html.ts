import type { AdvisorySection } from '#shared/advisories/advisory-text.ts'
import { lastOf } from '#shared/assert.ts'
import { type Element, HEADINGS, parseTree } from './html-tree.ts'
import { cleanText } from './text.ts'

/** A run of text in reading order. `lead` is its leading bold text: many sources write headings that way. */
export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'item'
  text: string
  lead: string
}

/**
 * Sanitises the detail text of an advisory to valid HTML below an h2: headings become h3 and h4, links absolute, nested
 * paragraphs are repaired, empty ones dropped, and text past about 60,000 characters is left out.
 */
export function sanitizeDetail(html: string, baseUrl: string): string {
  const root = parseTree(html, baseUrl)
  fitHeadings(root)
  return root.children
    .map(serialize)
    .filter((block) => block.trim() !== '')
    .join('\n')
}

/**
 * Sanitised HTML split at its headings of the highest level (h3), or at bold lines where it has none. The text before
 * the first has no title.
 */
export function htmlSections(html: string): AdvisorySection[] {
  const nodes = parseTree(html).children
  const hasHeadings = nodes.some((node) => typeof node === 'object' && node.tag === 'h3')
  const sections: AdvisorySection[] = []
  for (const node of nodes) {
    const [title, rest] = hasHeadings ? headingOf(node) : boldLineOf(node)
    if (title) sections.push({ title, html: '' })
    const content = rest ? serialize(rest) : ''
    if (content.trim() === '') continue
    if (sections.length === 0) sections.push({ title: null, html: '' })
    lastOf(sections).html += `${content}\n`
  }
  return sections.map(({ title, html }) => ({ title, html: html.trim() }))
}

type TitleAndRest = [title: string | null, rest: Element | string | null]

const headingOf = (node: Element | string): TitleAndRest =>
  typeof node === 'object' && node.tag === 'h3' ? [cleanText(textOf(node)), null] : [null, node]

const MAX_BOLD_LINE = 80

/** "<p><strong>Crime</strong><br>Robberies are common.</p>": many sources write headings that way. */
function boldLineOf(node: Element | string): TitleAndRest {
  if (typeof node === 'string' || node.tag !== 'p') return [null, node]
  const end = node.children.findIndex((child) => typeof child === 'object' && child.tag === 'br')
  const line = { ...node, children: node.children.slice(0, end < 0 ? undefined : end) }
  const title = cleanText(textOf(line)).replace(/:$/, '')
  const isTitle = title !== '' && title.length <= MAX_BOLD_LINE && !/[.!?]$/.test(title)
  if (!isTitle || cleanText(boldStart(line)) !== cleanText(textOf(line))) return [null, node]
  return [title, end < 0 ? null : { ...node, children: node.children.slice(end + 1) }]
}

/** The plain text, with each paragraph, heading and list entry on its own line. */
export function plainText(html: string): string {
  return textBlocks(html)
    .map((block) => block.text)
    .join('\n')
}

/** The plain text on one line, for titles and names. */
export function plainLine(html: string): string {
  return plainText(html).replaceAll('\n', ' ')
}

/** The text as a list of headings, paragraphs and list entries. */
export function textBlocks(html: string): TextBlock[] {
  const blocks: TextBlock[] = []
  collectBlocks(parseTree(html), 'paragraph', blocks)
  return blocks.map((block) => ({ ...block, text: withoutTags(block.text), lead: withoutTags(block.lead) }))
}

/** The list entries that directly follow each block the pattern matches: "You should:" and its bullets. */
export function itemsAfter(blocks: readonly TextBlock[], leadIn: RegExp): string[] {
  const items: string[] = []
  let isOpen = false
  for (const block of blocks) {
    if (isShort(block.text) && leadIn.test(block.text)) isOpen = true
    else if (block.kind !== 'item') isOpen = false
    else if (isOpen) items.push(block.text)
  }
  return [...new Set(items)]
}

/** Whether a text is short enough for a heading or leading line; patterns for those may be slow on very long text. */
export function isShort(text: string): boolean {
  return text.length <= 500
}

/** The entries of all lists, in order, plain. */
export function listItems(html: string): string[] {
  return textBlocks(html).flatMap((block) => (block.kind === 'item' ? [block.text] : []))
}

/** The first heading and those of the source's highest level become h3, all others h4. */
function fitHeadings(root: Element) {
  const headings = elementsOf(root).filter((element) => HEADINGS.includes(element.tag))
  const highest = headings.map((heading) => heading.tag).sort()[0]
  headings.forEach((heading, i) => {
    heading.tag = i === 0 || heading.tag === highest ? 'h3' : 'h4'
  })
}

function elementsOf(parent: Element): Element[] {
  return parent.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elementsOf(child)]))
}

function serialize(node: Element | string): string {
  if (typeof node === 'string') return escapeHtml(node)
  if (node.tag === 'br') return '<br>'
  const inner = node.children.map(serialize).join('')
  const isInline = node.from !== undefined
  // No readable content: an inline element still separates words, a block is dropped. Cells stay, as they align
  // columns.
  if (/^(\s|<br>)*$/.test(inner) && !['td', 'th'].includes(node.tag)) return isInline ? inner : ''
  const attributes = node.tag === 'a' ? `${node.attributes} rel="noopener noreferrer"` : node.attributes
  const content = isInline ? inner : inner.replace(/^(\s|<br>)+|(\s|<br>)+$/g, '')
  return `<${node.tag}${attributes && ' '}${attributes}>${content}</${node.tag}>`
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** Removes double-escaped markup: it decodes to text that looks like tags and was not meant to be shown. */
function withoutTags(text: string, rounds = 3): string {
  if (!/<[a-z/!?]/i.test(text)) return text
  if (rounds === 0) return text.replace(/<(?=[a-z/!?])/gi, '‹')
  return withoutTags(cleanText(textOf(parseTree(text))), rounds - 1)
}

function collectBlocks(parent: Element, kind: TextBlock['kind'], blocks: TextBlock[]) {
  const own: Element = { tag: '', attributes: '', children: [] }
  const nested: Element[] = []
  for (const child of parent.children) {
    const isBlock = typeof child === 'object' && !child.from && child.tag !== 'br'
    // The paragraphs of a list entry form one entry; its inner lists are entries of their own.
    if (isBlock && !(kind === 'item' && child.tag === 'p')) nested.push(child)
    else own.children.push(isBlock ? { ...child, children: [' ', ...child.children, ' '] } : child)
  }
  for (const line of kind === 'item' ? [own] : linesOf(own)) {
    const text = cleanText(textOf(line))
    if (text) blocks.push({ kind, text, lead: cleanText(boldStart(line)) })
  }
  for (const element of nested) {
    const inner = HEADINGS.includes(element.tag) ? 'heading' : element.tag === 'li' ? 'item' : 'paragraph'
    collectBlocks(element, inner, blocks)
  }
}

/** A line break ends a block after a bold line or a finished sentence; elsewhere it is only line wrapping. */
function linesOf(block: Element): Element[] {
  const lines: Element[] = [{ ...block, children: [] }]
  for (const child of block.children) {
    const line = lastOf(lines)
    if (typeof child === 'object' && child.tag === 'br' && endsHere(line)) lines.push({ ...block, children: [] })
    else line.children.push(child)
  }
  return lines
}

function endsHere(line: Element): boolean {
  const text = textOf(line).trim()
  return /[.!?:;]$/.test(text) || boldStart(line).trim() === text
}

function textOf(node: Element | string): string {
  if (typeof node === 'string') return node
  return node.tag === 'br' ? ' ' : node.children.map(textOf).join('')
}

function boldStart(block: Element): string {
  const end = block.children.findIndex((child) => !isBold(child) && textOf(child).trim() !== '')
  const start = block.children.slice(0, end < 0 ? undefined : end)
  return start.some((child) => typeof child === 'object' && isBold(child)) ? start.map(textOf).join('') : ''
}

function isBold(node: Element | string): boolean {
  return (
    typeof node === 'object' && (node.tag === 'strong' || (node.children.length > 0 && node.children.every(isBold)))
  )
}
