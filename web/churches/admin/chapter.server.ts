import { data, type RouterContextProvider, redirect } from 'react-router'
import { changeTravelers, createChapter, deleteChapter, updateChapter } from '#shared/churches/chapters.ts'
import { attempt, type CallEndpoint, visitorOf } from '../../lib/visitor.ts'
import type { Done } from './DoneNote.tsx'
import { typedOf } from './locale.server.ts'
import { saidIn } from './misplaced.server.ts'
import { CHAPTERS, chapterPath } from './paths.ts'
import type { Posted, Typed } from './posted.ts'
import { chapterOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

const DEEDS: Record<string, (call: CallEndpoint, id: string, typed: Typed) => Promise<{ to: string; done: Done }>> = {
  create: async (call, _id, typed) => {
    const { chapter } = await call(createChapter, { body: chapterOf(typed) as never })
    return { to: chapterPath(chapter.id), done: 'chapter_created' }
  },
  save: async (call, id, typed) => {
    await call(updateChapter, { params: { id }, body: { ...chapterOf(typed), made_from: typed.made_from ?? '' } })
    return { to: chapterPath(id), done: 'chapter_saved' }
  },
  delete: async (call, id, typed) => {
    const body = { made_from: typed.made_from ?? '', reason: typed.reason ?? '' }
    await call(deleteChapter, { params: { id }, body })
    return { to: CHAPTERS, done: 'chapter_deleted' }
  },
  travelers: async (call, id, typed) => {
    await call(changeTravelers, { params: { id }, body: { change: typed.change === 'less' ? -1 : 1 } })
    return { to: chapterPath(id), done: 'travelers' }
  },
}

/** Everything the forms of a chapter can ask for. */
export async function actOnChapter(context: Context, request: Request, id = '') {
  const typed = typedOf(await request.formData())
  const { intent = '' } = typed
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const { done, failure: refused } = await attempt(context, (call) => deed(call, id, typed))
  if (done) throw redirect(`${done.to}?done=${done.done}`)
  const failure = saidIn(visitorOf(context).language, refused)
  return data<Posted>({ intent, item: '', typed, failure }, failure.status)
}
