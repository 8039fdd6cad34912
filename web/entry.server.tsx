import { readFileSync } from 'node:fs'
import path from 'node:path'
import { prerender } from 'react-dom/static.edge'
import { type EntryContext, RouterContextProvider, ServerRouter } from 'react-router'
import '#web/lib/messages.server.ts'
import { DocumentContext } from '#web/lib/document.ts'
import { type Visitor, visitorContext, visitorOf } from '#web/lib/visitor.ts'

/** Entry point for the server: the context key lives inside the page bundle. */
export function contextFor(visitor: Visitor) {
  const context = new RouterContextProvider()
  context.set(visitorContext, visitor)
  return context
}

/** Renders completely before it responds: inline scripts are hashed and the bytes cached. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = visitorOf(context)
  let renderError: unknown
  const fail = (error: unknown) => {
    renderError ??= error
  }
  // Not streamed: suspended parts would arrive out of order, and stay hidden without scripts.
  const { prelude } = await prerender(
    <DocumentContext value={{ css: styleOf(entry), nonce }}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </DocumentContext>,
    { signal: request.signal, onError: fail, progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  if (renderError) throw renderError
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(prelude, { status, headers })
}

const styles = new Map<string, string>()

/** All style sheets of the matched routes, each once, in order. */
function styleOf(entry: EntryContext): string {
  if (import.meta.env.DEV) return ''
  const files = entry.staticHandlerContext.matches.flatMap(({ route }) => entry.manifest.routes[route.id]?.css ?? [])
  // The framework appends an empty fragment to some of its links.
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
