import { textBlocks } from '#server/advisories/feeds/html.ts'
import { cleanText } from '#server/advisories/feeds/text.ts'

/** A part of a page that can be quoted on its own. */
interface Chunk {
  heading: string | null
  content: string
}

export interface Page {
  title: string
  /** A language tag, or null if the page has none. */
  language: string | null
  chunks: Chunk[]
}

/** Target size in characters, which fits into an answer. A chunk grows until the next paragraph would exceed it. */
const GROWN = 900
/** Maximum size in characters, also for a single paragraph. */
const LONGEST = 3_000
const MAX_CHUNKS = 400

interface Block {
  kind: 'heading' | 'paragraph' | 'item'
  text: string
}

/** Main content of a web page, split at headings. Menus and footers are skipped. */
export function pageOfHtml(html: string): Page {
  const title = /<title[^>]*>([^<]{1,300})/i.exec(html)?.[1] ?? /<h1[^>]*>(.{1,300}?)<\/h1>/is.exec(html)?.[1] ?? ''
  const main = /<main[\s>].*?<\/main>/is.exec(html)?.[0] ?? /<article[\s>].*<\/article>/is.exec(html)?.[0] ?? html
  const bare = main.replace(/<(nav|header|footer|aside|form|script|style|noscript|template)[\s>].*?<\/\1\s*>/gis, ' ')
  return {
    title: cleanText(title.replace(/<[^>]*>/g, ' ')),
    language: /<html[^>]*\slang=["']?([a-z]{2,3}(?:-[a-z\d]+)*)/i.exec(html)?.[1]?.toLowerCase() ?? null,
    chunks: chunksOf(textBlocks(bare)),
  }
}

/** Markdown or plain text: # starts a heading, - or * a list item, an empty line a paragraph. */
export function pageOfText(text: string): Page {
  const blocks: Block[] = text
    .split(/\n\s*\n|\n(?=\s*[-*+]\s)|\n(?=#{1,6}\s)|(?<=\n#{1,6}\s[^\n]*)\n|(?<=^#{1,6}\s[^\n]*)\n/)
    .map((part) => {
      const [, marks, heading = ''] = /^\s*(#{1,6})\s+(.*)$/s.exec(part) ?? []
      if (marks) return { kind: 'heading' as const, text: plain(heading) }
      const isItem = /^\s*[-*+]\s/.test(part)
      return {
        kind: isItem ? ('item' as const) : ('paragraph' as const),
        text: plain(part.replace(/^\s*[-*+]\s+/, '')),
      }
    })
    .filter((block) => block.text !== '')
  return {
    title: blocks.find(({ kind }) => kind === 'heading')?.text ?? blocks[0]?.text.slice(0, 120) ?? '',
    language: null,
    chunks: chunksOf(blocks),
  }
}

/** Strips Markdown: links keep their label, emphasis its text. */
const plain = (text: string) =>
  cleanText(
    text
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*_`~]{1,3}([^*_`~]+)[*_`~]{1,3}/g, '$1')
      .replace(/^>\s?/gm, ''),
  )

function chunksOf(blocks: readonly Block[]): Chunk[] {
  const chunks: Chunk[] = []
  let heading: string | null = null
  let content = ''
  const close = () => {
    if (content !== '') chunks.push({ heading, content })
    content = ''
  }
  for (const { kind, text } of blocks) {
    if (kind === 'heading') {
      close()
      heading = text.slice(0, 300)
      continue
    }
    for (const piece of piecesOf(kind === 'item' ? `• ${text}` : text)) {
      if (content !== '' && content.length + piece.length > GROWN) close()
      content = content === '' ? piece : `${content}\n${piece}`
    }
  }
  close()
  return chunks.slice(0, MAX_CHUNKS)
}

/** Splits a paragraph into chunks of limited size, after sentences where possible. */
function* piecesOf(text: string) {
  let rest = text
  while (rest.length > LONGEST) {
    const end = rest.slice(0, LONGEST).search(/[.!?。؟।](?=[^.!?。؟।]*$)/)
    const at = end > LONGEST / 2 ? end + 1 : LONGEST
    yield rest.slice(0, at).trim()
    rest = rest.slice(at).trim()
  }
  if (rest !== '') yield rest
}
