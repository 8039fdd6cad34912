import { readFileSync } from 'node:fs'
import path from 'node:path'
import { prerender } from 'react-dom/static.edge'
import { type EntryContext, RouterContextProvider, ServerRouter } from 'react-router'
import '#web/lib/messages.server.ts'
import { DocumentContext } from '#web/lib/document.ts'
import { type Visitor, visitorContext, visitorOf } from '#web/lib/visitor.ts'

/** The server hands the visitor in through this: the key of the context lives inside the page bundle. */
export function contextFor(visitor: Visitor) {
  const context = new RouterContextProvider()
  context.set(visitorContext, visitor)
  return context
}

/** Renders to the end before it answers: the inline scripts are hashed and the bytes kept. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = visitorOf(context)
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
  }
  // Not streamed: what waits for a part of the code would come out of order, and stay hidden without scripts.
  const { prelude } = await prerender(
    <DocumentContext value={{ css: styleOf(entry), nonce }}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </DocumentContext>,
    { signal: request.signal, onError: fail, progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  if (failure) throw failure
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(prelude, { status, headers })
}

const styles = new Map<string, string>()

/** The text of every style sheet the matched routes use, each once, in order. */
function styleOf(entry: EntryContext): string {
  if (import.meta.env.DEV) return ''
  const files = entry.staticHandlerContext.matches.flatMap(({ route }) => entry.manifest.routes[route.id]?.css ?? [])
  // The framework marks some of its links with an empty fragment.
  return [...new Set(files.map((file) => file.replace(/#$/, '')))].map(readStyle).join('')
}

function readStyle(href: string): string {
  let text = styles.get(href)
  if (text === undefined) {
    text = readFileSync(path.join(process.cwd(), 'build/client', href), 'utf8')
    styles.set(href, text)
  }
  return text
}
