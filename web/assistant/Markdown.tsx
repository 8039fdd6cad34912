import Compiled, { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isOutside, safeLink } from './links.ts'

interface Props {
  children: string
  /** Still streaming: unclosed marks are hidden. */
  isUnfinished: boolean
  /** Renders a citation; undefined if there is no such source. */
  cite: (n: number) => ReactNode | undefined
}

/** The text of an answer. Raw HTML is text, links lead into the portal or out by http(s), pictures are dropped. */
export function Markdown({ children, isUnfinished, cite }: Props) {
  const options: MarkdownToJSX.Options = {
    disableParsingRawHTML: true,
    ignoreHTMLBlocks: true,
    disableFrontmatter: true,
    // A URL is a link only if the answer marked it as one.
    disableAutoLink: true,
    forceBlock: true,
    optimizeForStreaming: isUnfinished,
    sanitizer: (value, _tag, attribute) => (attribute === 'href' ? safeLink(value) : null),
    overrides: { a: SafeLink, img: Alternative, ...HEADINGS },
    renderRule: (next, node, _renderChildren, { key }) =>
      node.type === RuleType.text ? <Cited key={key} text={node.text} cite={cite} /> : next(),
  }
  return <Compiled options={options}>{children}</Compiled>
}

/** An answer ranks below the page headings. */
const HEADINGS = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [
    tag,
    { component: 'p', props: { 'data-heading': '', id: undefined } },
  ]),
)

function SafeLink({ href, children }: { href?: string | null; children?: ReactNode }) {
  const address = safeLink(href)
  if (!address) return <span>{children}</span>
  return isOutside(address) ? (
    <a href={address} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  ) : (
    <Link to={address} rel="noopener">
      {children}
    </Link>
  )
}

/** A picture would be fetched from any host the text names. */
const Alternative = ({ alt }: { alt?: string }) => (alt ? <span>{alt}</span> : null)

function Cited({ text, cite }: { text: string; cite: Props['cite'] }) {
  return text.split(/(\[\d{1,3}\])/).map((piece, i) => {
    const number = /^\[(\d+)\]$/.exec(piece)
    if (!number) return piece
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which only grows at its end
    return <sup key={i}>{cite(Number(number[1])) ?? piece}</sup>
  })
}
