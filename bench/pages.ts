import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { kilobytes, median, milliseconds, type Row, times } from './report.ts'
import { loadPage, openBrowser, type PageLoad } from './tools/browser.ts'
import { capture, serveBytes } from './tools/bytes.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { withLocales } from './tools/locales.ts'
import { type Answer, startPortal } from './tools/portal.ts'

const PAGES = ['/', '/travel-advisories', '/church-locator']
const COMPRESSED = { 'accept-encoding': 'br' }
const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)

const LOCALES = 2_000

/** First view of a page on a low-end phone, compared with the same page without its scripts. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const portal = await startPortal({ DATABASE_URL: await withLocales(await ground.database(), LOCALES) })
  const browser = await openBrowser()
  try {
    const rows: Row[] = []
    for (const path of PAGES) rows.push(...(await compare(browser, portal.url, path, ground.options.repeat)))
    return rows
  } finally {
    await browser.close()
    await portal.stop()
  }
}

async function compare(browser: Browser, portal: string, path: string, repeat: number): Promise<Row[]> {
  const { requests } = await loadPage(browser, portal + path)
  const twin = await serveTwin(portal, path, requests)
  await loadPage(browser, twin.url + path)
  const ours: PageLoad[] = []
  const plain: PageLoad[] = []
  for (let i = 0; i < repeat; i++) {
    ours.push(await loadPage(browser, portal + path))
    plain.push(await loadPage(browser, twin.url + path))
  }
  twin.stop()
  const middle = (loads: PageLoad[], value: (load: PageLoad) => number) => median(loads.map(value))
  const both = (value: (load: PageLoad) => number) => [middle(ours, value), middle(plain, value)] as const
  const [largest, plainLargest] = both((load) => load.largestPaint)
  const [blocking, plainBlocking] = both((load) => load.blocking)
  const [shift, plainShift] = both((load) => load.shift)
  const [scripts] = both((load) => load.scripts.bodies)
  const [scriptHeaders] = both((load) => load.scripts.headers)
  const [all, plainAll] = both((load) => load.all.bodies + load.all.headers)
  const paint = median(ours.map((load, i) => load.largestPaint / plain[i]!.largestPaint))
  const name = `\`${path}\``
  return [
    {
      what: `${name}: largest paint (LCP)`,
      budget: '≤ 1.25 × without scripts',
      measured: milliseconds(largest),
      baseline: milliseconds(plainLargest),
      ratio: times(paint),
      isMet: paint <= 1.25,
    },
    {
      what: `${name}: blocking time`,
      budget: '≤ 50 ms beyond without scripts',
      measured: milliseconds(blocking),
      baseline: milliseconds(plainBlocking),
      ratio: `+${milliseconds(Math.max(0, blocking - plainBlocking))}`,
      isMet: blocking - plainBlocking <= 50,
    },
    {
      what: `${name}: layout shift`,
      budget: '≤ 0.01',
      measured: shift.toFixed(3),
      baseline: plainShift.toFixed(3),
      ratio: '',
      isMet: shift <= 0.01,
    },
    {
      what: `${name}: scripts as sent, with what is loaded after the first view (and their headers)`,
      budget: '≤ 115 kB',
      measured: `${kilobytes(scripts)} (+${kilobytes(scriptHeaders)})`,
      baseline: '0',
      ratio: '',
      isMet: scripts <= 115_000,
    },
    {
      what: `${name}: everything as sent, with headers`,
      budget: '',
      measured: kilobytes(all),
      baseline: kilobytes(plainAll),
      ratio: times(all / plainAll),
      isMet: null,
    },
  ]
}

/**
 * The same page from a bare server, with scripts removed from the HTML, and with the images and other files it
 * requests.
 */
async function serveTwin(portal: string, path: string, requests: PageLoad['requests']) {
  const files = requests
    .filter(
      ({ url, type }) => url.startsWith(portal) && !['Script', 'Fetch', 'XHR', 'Document', 'Stylesheet'].includes(type),
    )
    .map(({ url }) => url.slice(portal.length))
  const answers = await capture(portal, [path, ...files], COMPRESSED)
  const page = answers.get(path)!
  return serveBytes(answers.set(path, await withoutScripts(page)))
}

async function withoutScripts(page: Answer): Promise<Answer> {
  const isPacked = page.headers['content-encoding'] === 'br'
  const html = (isPacked ? await unpack(page.body) : page.body).toString()
  const plain = html
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*\brel="(?:modulepreload|preload)"[^>]*>/g, '')
  return { ...page, body: isPacked ? await pack(plain) : Buffer.from(plain) }
}
