import { changeSource, createSource, previewSource } from '#shared/advisories/admin-sources.ts'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { translator } from '#web/lib/i18n.tsx'
import { type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'
import { allNames } from '../reader.server.ts'
import { sourcePath } from './paths.ts'
import { definitionOf, LevelLineError, readingOf, type SourceValues, valuesIn } from './source-values.ts'

type Preview = (typeof previewSource)['~']['output']

interface Shown {
  entered: SourceValues
  preview: Preview
}
export type SourceAnswer = FormResult & Partial<Shown>

/** A document of 4 MB, which may take three bytes for each of its own. */
const MAX_BYTES = 13 * 1024 * 1024

export const countriesFor = (language: Language) =>
  allNames(language).sort((a, b) => new Intl.Collator(language).compare(a.name, b.name))

/** Previews the form values, or saves what was previewed. */
export const actOnSource = formAction<Partial<Shown>>(
  async (call, submission) => {
    const { form, text, context } = submission
    const entered = valuesIn(form)
    const t = translator(visitorOf(context).language, 'common')
    const nameOf = (severity: Parameters<Parameters<typeof readingOf>[1]>[0]) => t(`severity_${severity}`)
    try {
      if (text('intent') === 'save') return await save(call, submission, nameOf)
      const document = await documentIn(form)
      const body = { ...readingOf(entered, nameOf), ...(document && { document }) }
      const preview = await call(previewSource, { body })
      return { entered: withLevels(entered, preview), preview }
    } catch (error) {
      if (!(error instanceof LevelLineError)) throw error
      const fields = { 'mapping.levels': `Line ${error.line}: enter the wording of the source, then = and our level` }
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
    }
  },
  { maxBytes: MAX_BYTES, onError: async (_error, { form }) => ({ entered: valuesIn(form) }) },
)

async function save(
  call: CallEndpoint,
  { form, params: { source }, text, flash }: Submission,
  nameOf: Parameters<typeof readingOf>[1],
): Promise<string> {
  const entered = valuesIn(form)
  const body = definitionOf(entered, text('proof'), nameOf)
  const saved = source
    ? await call(changeSource, { params: { source }, body: { ...body, definition: text('definition') } })
    : await call(createSource, { body: { ...body, id: entered.id } })
  return flash(sourcePath(saved.source.id), source ? 'saved' : 'created_source')
}

/** An uploaded file or pasted text; neither is stored. */
async function documentIn(form: FormData): Promise<string> {
  const file = form.get('file')
  if (file instanceof File && file.size > 0) return file.text()
  const pasted = form.get('document')
  return typeof pasted === 'string' ? pasted : ''
}

/** Adds levels of the document that are not mapped yet to the table, to be completed. */
function withLevels(values: SourceValues, { levels }: Preview): SourceValues {
  const missing = levels.filter(({ severity }) => severity === null).map(({ value }) => `${value} = `)
  const known = values.levels.split(/\r?\n/).filter((line) => !/^\s*$|=\s*$/.test(line))
  return missing.length === 0 ? values : { ...values, levels: [...known, ...missing].join('\n') }
}
