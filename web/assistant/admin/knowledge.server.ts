import type { RouterContextProvider } from 'react-router'
import { addKnowledge } from '#shared/assistant/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import { attempt } from '../../lib/visitor.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** What was typed; the text of a file stands where it could have been typed. */
export interface KnowledgeTyped {
  page_url: string
  page_title: string
  language: string
  content: string
}

const MOST_MEGABYTES = 2

/** Has a page read at its address, or takes the text that was typed or stands in a file. */
export async function postPage(context: Context, request: Request) {
  const form = await request.formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const typed: KnowledgeTyped = {
    page_url: text('page_url'),
    page_title: text('page_title'),
    language: text('language'),
    content: text('content'),
  }
  const { done, failure } = await attempt(context, async (call) => {
    const file = form.get('file')
    if (file instanceof File && file.size > 0) typed.content = await textOf(file)
    const { page_url, ...optional } = typed
    // What is left empty is what the page itself says.
    const given = Object.entries(optional).filter(([, value]) => value.trim() !== '')
    return call(addKnowledge, { body: { page_url, ...Object.fromEntries(given) } })
  })
  return { done, failure, typed }
}

async function textOf(file: File): Promise<string> {
  if (file.size > MOST_MEGABYTES * 1024 ** 2) throw refused(413, `File is too large (max ${MOST_MEGABYTES} MB)`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw refused(422, 'This file is not text. Choose a file of plain text or Markdown.')
  }
}

const refused = (status: number, text: string) => new AppError(status, 'invalid_file', text, { fields: { file: text } })
