import { data, type RouterContextProvider, redirect } from 'react-router'
import { changeTravelers, createChapter, deleteChapter, updateChapter } from '#shared/churches/chapters.ts'
import { attempt, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'
import type { ActionData, FormValues } from './action-data.ts'
import type { Done } from './DoneNote.tsx'
import { formValuesOf } from './locale.server.ts'
import { translatedError } from './misplaced.server.ts'
import { CHAPTERS, chapterPath } from './paths.ts'
import { chapterOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

const ACTIONS: Record<
  string,
  (call: CallEndpoint, id: string, values: FormValues) => Promise<{ to: string; done: Done }>
> = {
  create: async (call, _id, values) => {
    const { chapter } = await call(createChapter, { body: chapterOf(values) as never })
    return { to: chapterPath(chapter.id), done: 'chapter_created' }
  },
  save: async (call, id, values) => {
    await call(updateChapter, { params: { id }, body: { ...chapterOf(values), made_from: values.made_from ?? '' } })
    return { to: chapterPath(id), done: 'chapter_saved' }
  },
  delete: async (call, id, values) => {
    const body = { made_from: values.made_from ?? '', reason: values.reason ?? '' }
    await call(deleteChapter, { params: { id }, body })
    return { to: CHAPTERS, done: 'chapter_deleted' }
  },
  travelers: async (call, id, values) => {
    await call(changeTravelers, { params: { id }, body: { change: values.change === 'less' ? -1 : 1 } })
    return { to: chapterPath(id), done: 'travelers' }
  },
}

/** Runs an action of the chapter forms. */
export async function actOnChapter(context: Context, request: Request, id = '') {
  const values = formValuesOf(await request.formData())
  const { intent = '' } = values
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const { done, error: actionError } = await attempt(context, (call) => action(call, id, values))
  if (done) throw redirect(`${done.to}?done=${done.done}`)
  const error = translatedError(visitorOf(context).language, actionError)
  return data<ActionData>({ intent, item: '', values, error }, error.status)
}
