import { compiler } from 'markdown-to-jsx/html'
import sanitizeHtml from 'sanitize-html'

const MARKDOWN = {
  // People who write answers know no HTML, so a tag is text.
  disableParsingRawHTML: true,
  ignoreHTMLBlocks: true,
  disableFrontmatter: true,
  // An address is a link only if it was written as one.
  disableAutoLink: true,
  forceBlock: true,
  wrapper: null,
}

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'ul', 'ol', 'li', 'a', 'strong', 'em', 'br'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // The question is the heading.
  transformTags: { h1: 'p', h2: 'p', h3: 'p', h4: 'p', h5: 'p', h6: 'p', pre: 'p' },
}

/** The answer to a question as sanitised HTML: paragraphs, lists, links and bold. */
export function answerHtml(markdown: string): string {
  return sanitizeHtml(compiler(markdown, MARKDOWN), ALLOWED)
}
