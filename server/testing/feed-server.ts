import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Answer = string | number | ((request: IncomingMessage, response: ServerResponse) => void)

export interface FeedServer {
  url: string
  /** Response per path: a document, a status, or a function. May be changed during the test. */
  answers: Record<string, Answer>
  /** Paths in order of the requests. */
  requests: string[]
}

/** A local web server standing in for a source, until the test ends. */
export async function feedServer(answers: Record<string, Answer> = {}): Promise<FeedServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    const answer = answers[path] ?? 404
    if (typeof answer === 'function') answer(request, response)
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, requests }
}

interface Entry {
  country: string
  level?: 1 | 2 | 3 | 4
  date?: string
  text?: string
}

/** A feed in the format of the US State Department. */
export function usRss(entries: Entry[]): string {
  const levelTexts = [
    '',
    'Exercise Normal Precautions',
    'Exercise Increased Caution',
    'Reconsider Travel',
    'Do Not Travel',
  ]
  const items = entries.map(({ country, level = 1, date = 'Wed, 01 Oct 2025', text = 'Nothing unusual is known.' }) => {
    const link = `https://travel.state.gov/${country.toLowerCase().replaceAll(' ', '-')}.html`
    return `<item><title>${country} - Level ${level}: ${levelTexts[level]}</title><link>${link}</link><guid>${link}</guid>
      <pubDate>${date}</pubDate><category domain="Threat-Level">Level ${level}: ${levelTexts[level]}</category>
      <description><![CDATA[<p>${text}</p>]]></description></item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Travel Advisories</title>${items.join('')}</channel></rss>`
}
