import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { firstOf } from '#shared/assert.ts'
import { FeedError } from '../feed.ts'
import { kindOfDocument } from '../text.ts'

/** An element of an XML document, with its prefix resolved to its namespace. */
export class XmlElement {
  readonly name: string
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The element's own text, without that of its child elements. */
  readonly text: string

  constructor(
    name: string,
    namespace: string,
    attributes: ReadonlyMap<string, string>,
    children: readonly XmlElement[],
    text: string,
  ) {
    this.name = name
    this.namespace = namespace
    this.attributes = attributes
    this.children = children
    this.text = text
  }

  /** The child elements of that name; of this element's namespace unless another is specified. */
  all(name: string, namespace = this.namespace): XmlElement[] {
    return this.children.filter((child) => child.name === name && child.namespace === namespace)
  }

  first(name: string, namespace = this.namespace): XmlElement | undefined {
    return this.all(name, namespace)[0]
  }

  /** The trimmed text of the first child element of that name; '' if there is none. */
  textOf(name: string, namespace = this.namespace): string {
    return this.first(name, namespace)?.text.trim() ?? ''
  }
}

/**
 * Far above any feed seen so far. The tree of a document takes many times its length; this keeps memory below 0.5 GB.
 */
const MAX_CHARACTERS = 8_000_000
/** Tags, attributes, references. */
const MAX_OF_EACH = 300_000

/** Feeds of these kinds use these prefixes, and sometimes do not declare them. */
const USUAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['atom', 'http://www.w3.org/2005/Atom'],
  ['cap', 'urn:oasis:names:tc:emergency:cap:1.2'],
  ['gdacs', 'http://www.gdacs.org'],
])

/**
 * The root element of a well-formed XML document. A document with a document type or entity declaration is refused
 * before parsing: no feed needs one, and every known XML attack (entity bombs, external files) begins with one.
 */
export function parseXml(text: string): XmlElement {
  if (!/^\s*</.test(text) || kindOfDocument(text).startsWith('an HTML page'))
    throw new FeedError(`The document is ${kindOfDocument(text)}, not XML`)
  if (text.length > MAX_CHARACTERS || [...'<=&'].some((mark) => hasOver(MAX_OF_EACH, mark, text)))
    throw new FeedError(`The document has over ${MAX_CHARACTERS} characters, or ${MAX_OF_EACH} tags or attributes`)
  // Anywhere, not only before the root element: a linear search cannot be misled by comments.
  if (/<!(doctype|entity)/i.test(text))
    throw new FeedError('The document declares a document type or entities, which no feed needs; it was not read')

  const roots = wellFormed(text.trim()).filter((node) => isElement(tagOf(node)))
  if (roots.length !== 1) throw new FeedError(`The document is not XML: it has ${roots.length} root elements`)
  return elementOf(firstOf(roots), USUAL_PREFIXES)
}

function hasOver(limit: number, mark: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0 && count <= limit; at = text.indexOf(mark, at + 1)) count++
  return count > limit
}

/** fast-xml-parser's ordered tree: one key is the tag with its child nodes, ':@' the attributes. */
type Node = Record<string, Node[] | string | Record<string, string>>

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // References are decoded below: the five of XML and numeric ones, nothing that could expand.
  processEntities: false,
  maxNestedTags: 100,
})

function wellFormed(xml: string): Node[] {
  try {
    const verdict = XMLValidator.validate(xml)
    if (verdict !== true) throw new Error(`${verdict.err.msg} (line ${verdict.err.line})`)
    return parser.parse(xml) as Node[]
  } catch (error) {
    throw new FeedError(`The document is not well-formed XML: ${(error as Error).message.slice(0, 200)}`)
  }
}

function elementOf(node: Node, outer: ReadonlyMap<string, string>): XmlElement {
  const tag = tagOf(node)
  const attributes = attributesOf(node)
  const prefixes = withDeclarations(outer, attributes)
  const [name, prefix = ''] = tag.split(':', 2).reverse() as [string, string?]
  const inner = node[tag] as Node[]
  return new XmlElement(
    name,
    prefixes.get(prefix) ?? '',
    attributes,
    inner.filter((child) => isElement(tagOf(child))).map((child) => elementOf(child, prefixes)),
    inner.map(ownText).join(''),
  )
}

const NONE: ReadonlyMap<string, string> = new Map()

function attributesOf(node: Node): ReadonlyMap<string, string> {
  const attributes = node[':@'] as Record<string, string> | undefined
  if (!attributes) return NONE
  return new Map(Object.entries(attributes).map(([name, value]) => [name, resolveReferences(value)]))
}

function withDeclarations(outer: ReadonlyMap<string, string>, attributes: ReadonlyMap<string, string>) {
  const declared = [...attributes].flatMap(([name, uri]): [string, string][] =>
    name === 'xmlns' ? [['', uri]] : name.startsWith('xmlns:') ? [[name.slice(6), uri]] : [],
  )
  return declared.length === 0 ? outer : new Map([...outer, ...declared])
}

function ownText(node: Node): string {
  if (typeof node['#text'] === 'string') return resolveReferences(node['#text'])
  // Inside CDATA an ampersand is an ampersand.
  const cdata = node['#cdata'] as Node[] | undefined
  return cdata?.map((child) => child['#text'] as string).join('') ?? ''
}

function tagOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ':@') ?? ''
}

function isElement(tag: string): boolean {
  return tag !== '' && !tag.startsWith('#') && !tag.startsWith('?')
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A reference XML does not define (&nbsp;) stays as written; HTML fields are decoded again later. */
function resolveReferences(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ''
  })
}
