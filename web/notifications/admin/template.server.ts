import { data } from 'react-router'
import type { TemplateContent } from '#shared/delivery/template-content.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import {
  changeTemplate,
  previewTemplate,
  restoreTemplate,
  type TemplateDetail,
} from '#shared/notifications/templates.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { templatePath } from './paths.ts'
import { type FormValues, formValuesOf } from './values.ts'

/** Texts to show again: rejected, or to preview before saving. */
interface Shown {
  lists: FormValues
  preview: TemplateDetail['preview']
}
export type ActionData = FormResult & Partial<Shown>

export const languageIn = (text: string): Language | undefined => LANGUAGES.find((language) => language === text)

/** Runs an action of the template forms. */
export const actOnTemplate = formAction<Partial<Shown>>(
  {
    preview: async (call, { form, params }) => {
      const lists = formValuesOf(form)
      const { preview } = await call(previewTemplate, { params: templateIn(params), body: { words: contentIn(lists) } })
      return { lists, preview }
    },
    save: async (call, { form, params, text, flash }) => {
      const body = { words: contentIn(formValuesOf(form)), version: Number(text('version')) }
      await call(changeTemplate, { params: templateIn(params), body })
      return flash(pathIn(params), 'template')
    },
    own: async (call, { params, text, flash }) => {
      await call(changeTemplate, {
        params: templateIn(params),
        body: { words: null, version: Number(text('version')) },
      })
      return flash(pathIn(params), 'restored')
    },
    restore: async (call, { params, text, flash }) => {
      const body = { restore: text('restore'), version: Number(text('version')) }
      await call(restoreTemplate, { params: templateIn(params), body })
      return flash(pathIn(params), 'template')
    },
  },
  { onError: async (_error, { form }) => ({ lists: formValuesOf(form) }) },
)

/** Name and language in the page's path. */
function templateIn({ name = '', language = '' }: Submission['params']) {
  const known = languageIn(language)
  if (!known) throw data(null, { status: 404 })
  return { name, language: known }
}

function pathIn(params: Submission['params']) {
  const { name, language } = templateIn(params)
  return templatePath(name, language)
}

function contentIn(values: FormValues): TemplateContent {
  const [button, sms] = [values.button?.[0]?.trim(), values.sms?.[0]?.trim()]
  return {
    subject: values.subject?.[0] ?? '',
    // A blank line separates paragraphs.
    lines: (values.lines?.[0] ?? '')
      .split(/\r?\n\s*\r?\n/)
      .map((line) => line.replace(/\s*\r?\n\s*/g, ' ').trim())
      .filter(Boolean),
    ...(button ? { button } : {}),
    ...(sms ? { sms } : {}),
  }
}
