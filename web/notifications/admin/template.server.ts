import { data, type RouterContextProvider, redirect } from 'react-router'
import type { TemplateContent } from '#shared/delivery/template-content.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import {
  changeTemplate,
  previewTemplate,
  restoreTemplate,
  type TemplateDetail,
} from '#shared/notifications/templates.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { templatePath } from './paths.ts'
import { type FormValues, formValuesOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Texts to show again: rejected, or to preview before saving. */
export interface ActionData {
  values: FormValues
  error?: FormError
  preview?: TemplateDetail['preview']
}

export const languageIn = (text: string): Language | undefined => LANGUAGES.find((language) => language === text)

/** Runs an action of the template forms. */
export async function actOnTemplate(context: Context, request: Request, name: string, language: Language) {
  const values = formValuesOf(await request.formData())
  const intent = values.intent?.[0] ?? ''
  const params = { name, language }
  const version = Number(values.version?.[0] ?? 0)
  if (intent === 'preview') {
    const { done, error } = await attempt(context, (call) =>
      call(previewTemplate, { params, body: { words: contentIn(values) } }),
    )
    if (error) return data<ActionData>({ values, error }, error.status)
    return data<ActionData>({ values, preview: done.preview })
  }
  const actions: Record<string, (call: CallEndpoint) => Promise<string>> = {
    save: async (call) => {
      await call(changeTemplate, { params, body: { words: contentIn(values), version } })
      return 'template'
    },
    own: async (call) => {
      await call(changeTemplate, { params, body: { words: null, version } })
      return 'restored'
    },
    restore: async (call) => {
      await call(restoreTemplate, { params, body: { restore: values.restore?.[0] ?? '', version } })
      return 'template'
    },
  }
  const action = Object.hasOwn(actions, intent) ? actions[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const { done, error } = await attempt(context, action)
  if (error) return data<ActionData>({ values, error }, error.status)
  throw redirect(`${templatePath(name, language)}?done=${done}`)
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
