import { data, redirect } from 'react-router'
import { changeSource, createSource, previewSource } from '#shared/advisories/admin-sources.ts'
import type { Language } from '#shared/language.ts'
import { translator } from '#web/lib/i18n.tsx'
import { attempt, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { allNames } from '../reader.server.ts'
import { sourcePath } from './paths.ts'
import { definitionOf, LevelLineError, readingOf, type SourceValues, valuesIn } from './source-values.ts'

type Preview = (typeof previewSource)['~']['output']

export interface SourceAnswer {
  values: SourceValues
  error?: FormError
  preview?: Preview
}

export const countriesFor = (language: Language) =>
  allNames(language).sort((a, b) => new Intl.Collator(language).compare(a.name, b.name))

interface ActionInput {
  context: Parameters<typeof visitorOf>[0]
  request: Request
  source?: string
}

/** Previews the form values, or saves what was previewed. */
export async function act({ context, request, source }: ActionInput) {
  const form = await request.formData()
  const values = valuesIn(form)
  const t = translator(visitorOf(context).language, 'common')
  const nameOf = (severity: Parameters<Parameters<typeof readingOf>[1]>[0]) => t(`severity_${severity}`)
  try {
    if (form.get('intent') === 'save') return await save(context, form, values, nameOf, source)
    const document = await documentIn(form)
    const { error, done } = await attempt(context, (call) =>
      call(previewSource, { body: { ...readingOf(values, nameOf), ...(document && { document }) } }),
    )
    if (error) return data<SourceAnswer>({ values, error }, error.status)
    return data<SourceAnswer>({ values: withLevels(values, done), preview: done })
  } catch (error) {
    if (!(error instanceof LevelLineError)) throw error
    const fields = { 'mapping.levels': `Line ${error.line}: enter the wording of the source, then = and our level` }
    const invalid = { error: 'Please correct the marked fields.', code: 'invalid_input', fields, status: 422 }
    return data<SourceAnswer>({ values, error: invalid }, 422)
  }
}

async function save(
  context: ActionInput['context'],
  form: FormData,
  values: SourceValues,
  nameOf: Parameters<typeof readingOf>[1],
  source: string | undefined,
) {
  const body = definitionOf(values, String(form.get('proof') ?? ''), nameOf)
  const { error, done } = await attempt(context, (call) =>
    source
      ? call(changeSource, { params: { source }, body: { ...body, definition: String(form.get('definition') ?? '') } })
      : call(createSource, { body: { ...body, id: values.id } }),
  )
  if (!error) throw redirect(`${sourcePath(done.source.id)}?done=${source ? 'saved' : 'created_source'}`)
  return data<SourceAnswer>({ values, error }, error.status)
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
