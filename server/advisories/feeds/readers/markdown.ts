import { lastOf } from '#shared/assert.ts'

/**
 * Converts the Markdown of the archive to HTML: paragraphs, bullets, headings, bold, italic, links. Input of
 * sanitizeDetail only.
 */
export function markdownToHtml(markdown: string): string {
  return (
    markdown
      .replace(/\r\n?/g, '\n')
      // Two spaces at the end of a line are a line break; more mean nothing else, and long runs are slow to match.
      .replace(/(?<=\S) {3,}/g, '  ')
      .split(/\n{2,}/)
      .flatMap(pieces)
      .map(({ kind, text }) => (kind === 'ul' ? text : `<${kind}>${inline(text)}</${kind}>`))
      .join('\n')
  )
}

/** A paragraph of Markdown may be a heading, a paragraph, a list, or a paragraph with a list below it. */
function pieces(paragraph: string): { kind: string; text: string }[] {
  const lines = paragraph.split('\n')
  const [, heading] = /^\s{0,3}#{1,6}\s+(.*)$/.exec(lines[0] ?? '') ?? []
  if (heading !== undefined) return [{ kind: 'h3', text: heading }, ...pieces(lines.slice(1).join('\n'))]
  if (/^\s*([*_-]\s*){3,}$/.test(paragraph) || paragraph.trim() === '') return []
  const firstBullet = lines.findIndex((line) => BULLET.test(line))
  if (firstBullet < 0) return [{ kind: 'p', text: paragraph }]
  const list = { kind: 'ul', text: `<ul>${bullets(lines.slice(firstBullet))}</ul>` }
  return [...pieces(lines.slice(0, firstBullet).join('\n')), list]
}

const BULLET = /^(\s*)[*+-]\s+(.*)$/

function bullets(lines: readonly string[]): string {
  const entries: { depth: number; text: string }[] = []
  for (const line of lines) {
    const [, indent = '', text] = BULLET.exec(line) ?? []
    if (text !== undefined) entries.push({ depth: indent.length, text })
    else lastOf(entries).text += `\n${line}`
  }
  const outer = Math.min(...entries.map((entry) => entry.depth))
  return entries
    .map(({ depth, text }) => (depth > outer ? `<ul><li>${inline(text)}</li></ul>` : `<li>${inline(text)}</li>`))
    .join('')
}

function inline(text: string): string {
  const addresses: string[] = []
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/!\[[^\][]{0,500}\]\([^()]{0,500}\)/g, '')
    .replace(
      /\[([^\][]{0,500})\]\(\s{0,9}([^\s()]{0,2000})(?:\s{1,9}&quot;[^()]{0,2000})?\)/g,
      (_, label: string, address: string) => {
        // Replaced temporarily, because an underscore in an address is not emphasis.
        addresses.push(address)
        return `<a href="${addresses.length - 1}">${label}</a>`
      },
    )
    .replace(/(\p{L})?\*\*(?=\S)(.{1,5000}?)\*\*(\p{L})?/gsu, (_, before = '', bold, after = '') => {
      // The archive's converter lost the spaces at the edges of bold text: "due to**crime**".
      return `${before}${before && ' '}<strong>${bold}</strong>${after && ' '}${after}`
    })
    .replace(/(^|[\s>])_(?=\S)(.{1,1000}?)_(?=[\s<.,;:)]|$)/gs, '$1<em>$2</em>')
    .replace(/\*\*|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/ {2,}\n/g, '<br>')
    .replace(/(?<=\S) +(?=[.,;:](?:\s|<|$))/g, '')
    .replace(/<a href="(\d+)">/g, (_, i: string) => `<a href="${addresses[Number(i)]}">`)
}
