import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import { pageOfText } from './chunks.ts'
import { writePage } from './page-import.ts'
import starter from './starter.json' with { type: 'json' }

/** A verbatim passage of an official page, with the earliest date on which it can have been written. */
export const StarterPage = z.strictObject({
  page_url: z.url({ protocol: /^https$/ }),
  page_title: z.string().min(1).max(300),
  language: z.string().length(2),
  captured_on: z.iso.date(),
  content: z.string().min(100),
})
export type StarterPage = z.infer<typeof StarterPage>

/** Pages shipped with this version; docs/attribution.md lists their origin. */
export const starterPages = (): StarterPage[] => z.array(StarterPage).parse(starter)

/**
 * Inserts the starter pages, so that the assistant can quote what PDOS, OWWA, the OEC and the DMW are. Existing pages
 * are left alone, and one deleted by an administrator does not come back.
 */
export async function loadKnowledge(db: Db, pages: readonly StarterPage[] = starterPages()): Promise<void> {
  const { rows } = await sql<{ page_url: string }>`
    select page_url from knowledge_sources
    union select before ->> 'page_url' from audit_log where action = 'knowledge.delete'`.execute(db)
  const known = new Set(rows.map(({ page_url }) => page_url))
  for (const { page_url, page_title, language, captured_on, content } of pages) {
    if (known.has(page_url)) continue
    const page = pageOfText(content)
    await writePage(db, {
      ...{ page_title, page_url, language, origin: 'markdown', page, by: null, now: new Date(captured_on) },
    })
  }
}
