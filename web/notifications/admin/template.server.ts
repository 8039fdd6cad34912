import { data, type RouterContextProvider, redirect } from 'react-router'
import { LANGUAGES, type Language } from '#shared/language.ts'
import {
  changeTemplate,
  previewTemplate,
  restoreTemplate,
  type TemplateDetail,
  type TemplateWords,
} from '#shared/notifications/templates.ts'
import { attempt, type CallEndpoint, type Failure } from '../../lib/visitor.ts'
import { templatePath } from './paths.ts'
import { type Typed, typedOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Words that came back: refused, or to be looked at before they count. */
export interface PostedWords {
  typed: Typed
  failure?: Failure
  preview?: TemplateDetail['preview']
}

export const languageIn = (text: string): Language | undefined => LANGUAGES.find((language) => language === text)

/** Everything the forms of a template can ask for. */
export async function actOnTemplate(context: Context, request: Request, name: string, language: Language) {
  const typed = typedOf(await request.formData())
  const intent = typed.intent?.[0] ?? ''
  const params = { name, language }
  const version = Number(typed.version?.[0] ?? 0)
  if (intent === 'preview') {
    const { done, failure } = await attempt(context, (call) =>
      call(previewTemplate, { params, body: { words: wordsIn(typed) } }),
    )
    if (failure) return data<PostedWords>({ typed, failure }, failure.status)
    return data<PostedWords>({ typed, preview: done.preview })
  }
  const deeds: Record<string, (call: CallEndpoint) => Promise<string>> = {
    save: async (call) => {
      await call(changeTemplate, { params, body: { words: wordsIn(typed), version } })
      return 'template'
    },
    own: async (call) => {
      await call(changeTemplate, { params, body: { words: null, version } })
      return 'restored'
    },
    restore: async (call) => {
      await call(restoreTemplate, { params, body: { restore: typed.restore?.[0] ?? '', version } })
      return 'template'
    },
  }
  const deed = Object.hasOwn(deeds, intent) ? deeds[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const { done, failure } = await attempt(context, deed)
  if (done) throw redirect(`${templatePath(name, language)}?done=${done}`)
  return data<PostedWords>({ typed, failure: failure! }, failure!.status)
}

function wordsIn(typed: Typed): TemplateWords {
  const [button, sms] = [typed.button?.[0]?.trim(), typed.sms?.[0]?.trim()]
  return {
    subject: typed.subject?.[0] ?? '',
    // An empty line ends a paragraph.
    lines: (typed.lines?.[0] ?? '')
      .split(/\r?\n\s*\r?\n/)
      .map((line) => line.replace(/\s*\r?\n\s*/g, ' ').trim())
      .filter(Boolean),
    ...(button ? { button } : {}),
    ...(sms ? { sms } : {}),
  }
}
