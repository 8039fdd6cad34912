import { addKnowledge } from '#shared/assistant/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import { bodyFrom, formAction } from '#web/lib/form-action.server.ts'
import { KNOWLEDGE } from './paths.ts'

const MAX_MEGABYTES = 2

/** Has a page fetched from its URL, or submits the text from the form or a file. */
export const addPage = formAction(
  async (call, { form, values, flash }) => {
    const file = form.get('file')
    // Text read from a file takes the place of the text field.
    if (file instanceof File && file.size > 0) {
      values.content = await textOf(file)
      form.set('content', values.content)
    }
    // Empty fields default to the page's own data.
    for (const name of ['page_title', 'language', 'content']) if (!values[name]?.trim()) form.delete(name)
    const { changed } = await call(addKnowledge, { body: bodyFrom(addKnowledge.body, form) })
    return flash(KNOWLEDGE, changed ? 'page_added' : 'page_same')
  },
  { maxBytes: 10 * 1024 ** 2 },
)

async function textOf(file: File): Promise<string> {
  if (file.size > MAX_MEGABYTES * 1024 ** 2) throw fileError(413, `File is too large (max ${MAX_MEGABYTES} MB)`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw fileError(422, 'This is not a text file. Choose a plain text or Markdown file.')
  }
}

const fileError = (status: number, text: string) =>
  new AppError(status, 'invalid_file', text, { fields: { file: text } })
