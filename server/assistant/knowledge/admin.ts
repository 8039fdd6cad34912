import { withClaims } from '#server/db/claims.ts'
import { invalid } from '#server/db/records.ts'
import { domainsOf, isWithin } from '#server/http/domains.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  addKnowledge,
  deleteKnowledge,
  deleteKnowledgeOf,
  listKnowledge,
  reindexKnowledge,
} from '#shared/assistant/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import type { Write } from '../writer.ts'
import { type Page, pageOfText } from './chunks.ts'
import { domainOf, writePage } from './page-import.ts'
import { NOT_ALLOWED, PageError, type PageReaderDeps, readPage } from './page-reader.ts'
import { deleteDomain, deleteSource, findSource, findSources, recordFailure, rewriteSource } from './upkeep.ts'

export interface KnowledgeDeps {
  settings: Pick<SettingsModel, 'get'>
  write: Write
  publicUrl: string
  allowsPrivate: boolean
}

/** Whether a text contains Markdown: headings, lists or links. */
const isMarkdown = (text: string) => /^#{1,6}\s|^\s*[-*+]\s|\[[^\]]+\]\([^)]+\)/m.test(text)

/** Administration of the pages that the assistant may quote. No transaction is open while a page is fetched. */
export function registerKnowledgeAdmin(router: Router, deps: KnowledgeDeps) {
  const { write, settings } = deps
  const domains = () => domainsOf(settings.get('assistant.knowledge_domains')) ?? []
  const reading = (): PageReaderDeps => ({
    domains: domains(),
    publicUrl: deps.publicUrl,
    allowsPrivate: deps.allowsPrivate,
  })

  router.handle(listKnowledge, async ({ db }, { query }) => ({ ...(await findSources(db, query)), domains: domains() }))

  router.act(addKnowledge, async (ctx, { body }) => {
    const { page_url, page_title, language, content } = body
    const address = URL.parse(page_url)
    if (!address) throw invalid({ page_url: 'Enter a web address that starts with https://' })
    // Pasted text is quoted as the content of that page.
    if (content && !isWithin(address.hostname, domains())) throw invalid({ page_url: NOT_ALLOWED })
    const page = content ? pageOfText(content) : await readOrRefuse(page_url, reading())
    if (page.chunks.length === 0) throw invalid({ content: 'There is no text to save' })
    return write(ctx, async (db, by) => {
      const { id, changed } = await writePage(db, {
        page_title: (page_title || page.title || domainOf(page_url)).slice(0, 300),
        page_url,
        // Without its region, for comparison with the language of a question.
        language: (language || page.language || 'en').toLowerCase().replace(/-.*$/s, ''),
        origin: content ? (isMarkdown(content) ? 'markdown' : 'text') : 'address',
        page,
        by,
        now: ctx.now,
      })
      return { source: await findSource(db, id), changed }
    })
  })

  router.act(reindexKnowledge, async (ctx, { params: { id } }) => {
    const source = await withClaims(ctx.database, claimsOf(ctx.session), (db) => findSource(db, id))
    if (source.origin !== 'address')
      throw new AppError(409, 'given_by_hand', 'The text of this page was pasted in. Add the page again to change it.')
    const read = await readPage(source.page_url, reading()).catch(pageErrorOf)
    return rewritten(ctx, id, read)
  })

  const rewritten = (ctx: ActionContext<SignedIn>, id: string, read: Page | PageError) =>
    write(ctx, async (db, by) => {
      const source = await findSource(db, id)
      if (read instanceof PageError) {
        await recordFailure(db, id, read.message)
        return { source: await findSource(db, id), changed: false }
      }
      const { changed } = await rewriteSource(db, source, { page: read, by, now: ctx.now })
      return { source: await findSource(db, id), changed }
    })

  router.act(deleteKnowledge, (ctx, { params }) =>
    write(ctx, async (db, by) => {
      await deleteSource(db, params.id, by)
      return {}
    }),
  )

  router.act(deleteKnowledgeOf, (ctx, { query }) =>
    write(ctx, async (db, by) => ({ deleted: await deleteDomain(db, query.source_domain, by) })),
  )
}

function pageErrorOf(error: unknown): PageError {
  if (error instanceof PageError) return error
  throw error
}

async function readOrRefuse(address: string, reading: PageReaderDeps): Promise<Page> {
  const read = await readPage(address, reading).catch(pageErrorOf)
  if (read instanceof PageError)
    throw new AppError(422, 'page_not_read', 'We could not read the page', { fields: { page_url: read.message } })
  return read
}
