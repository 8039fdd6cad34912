import { kilobytes, type Row } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { withLocales } from './tools/locales.ts'
import { ask, startPortal } from './tools/portal.ts'

const MAX_SCRIPT = 115_000
const MAX_HTML = 45_000
const LOCALES = 2_000

/** Bytes a browser must fetch before a page is complete: its HTML with inlined styles, and its scripts. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const portal = await startPortal({ DATABASE_URL: await withLocales(await ground.database(), LOCALES) })
  try {
    const advisory = await anAdvisory(portal.url)
    const rows: Row[] = []
    for (const path of ['/', '/travel-advisories', '/church-locator'])
      rows.push(...(await sizesOf(portal.url, path, path, true)))
    for (const [name, path] of [
      ['/travel-advisories/{id}', `/travel-advisories/${advisory.id}`],
      ['/countries/{code}', `/countries/${advisory.country_codes[0]}`],
      ['/countries', '/countries'],
      ['/travel-faq', '/travel-faq'],
      ['/support', '/support'],
    ] as const)
      rows.push(...(await sizesOf(portal.url, path, name, false)))
    return rows
  } finally {
    await portal.stop()
  }
}

async function sizesOf(portal: string, path: string, name: string, hasBudget: boolean): Promise<Row[]> {
  const html = await sent(portal, path, 'gzip')
  const scripts = scriptsOf((await ask(portal, path)).body.toString())
  const total = async (encoding: string) =>
    (await Promise.all(scripts.map((script) => sent(portal, script, encoding)))).reduce((sum, bytes) => sum + bytes, 0)
  const [brotli, gzip] = [await total('br'), await total('gzip')]
  return [
    {
      what: `\`${name}\`: HTML with its styles, gzip`,
      budget: hasBudget ? '≤ 45 kB' : '',
      measured: kilobytes(html),
      baseline: '',
      ratio: '',
      isMet: hasBudget ? html <= MAX_HTML : null,
    },
    {
      what: `\`${name}\`: ${scripts.length} scripts, Brotli (gzip)`,
      budget: hasBudget ? '≤ 115 kB' : '',
      measured: `${kilobytes(brotli)} (${kilobytes(gzip)})`,
      baseline: '',
      ratio: '',
      isMet: hasBudget ? brotli <= MAX_SCRIPT : null,
    },
  ]
}

async function sent(portal: string, path: string, encoding: string): Promise<number> {
  const { status, body } = await ask(portal, path, { headers: { 'accept-encoding': encoding } })
  if (status !== 200) throw new Error(`${path} answers ${status}`)
  return body.byteLength
}

/** Every script of the page: by tag, by preload, or imported by an inline script. */
function scriptsOf(html: string): string[] {
  const inTags = [...html.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="(\/[^"]+\.js)"/g)]
  const imported = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].flatMap(([, code]) => [
    ...code!.matchAll(/import\s*(?:\(|[^"'()]*?from|\*[^"']*)?\s*["'](\/[^"']+\.js)["']/g),
  ])
  return [...new Set([...inTags, ...imported].map(([, file]) => file!))]
}

async function anAdvisory(portal: string): Promise<{ id: string; country_codes: string[] }> {
  const { body } = await ask(portal, '/api/public/travel-advisories?limit=1')
  return JSON.parse(body.toString()).advisories[0]
}
