import type { RouterContextProvider } from 'react-router'
import { addKnowledge } from '#shared/assistant/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import { attempt } from '#web/lib/visitor.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Form values; text read from a file takes the place of the text field. */
export interface KnowledgeFormValues {
  page_url: string
  page_title: string
  language: string
  content: string
}

const MAX_MEGABYTES = 2

/** Has a page fetched from its URL, or submits the text from the form or a file. */
export async function postPage(context: Context, request: Request) {
  const form = await request.formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const values: KnowledgeFormValues = {
    page_url: text('page_url'),
    page_title: text('page_title'),
    language: text('language'),
    content: text('content'),
  }
  const answer = await attempt(context, async (call) => {
    const file = form.get('file')
    if (file instanceof File && file.size > 0) values.content = await textOf(file)
    const { page_url, ...optional } = values
    // Empty fields default to the page's own data.
    const entries = Object.entries(optional).filter(([, value]) => value.trim() !== '')
    return call(addKnowledge, { body: { page_url, ...Object.fromEntries(entries) } })
  })
  return { ...answer, values }
}

async function textOf(file: File): Promise<string> {
  if (file.size > MAX_MEGABYTES * 1024 ** 2) throw fileError(413, `File is too large (max ${MAX_MEGABYTES} MB)`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw fileError(422, 'This file is not text. Choose a file of plain text or Markdown.')
  }
}

const fileError = (status: number, text: string) =>
  new AppError(status, 'invalid_file', text, { fields: { file: text } })
