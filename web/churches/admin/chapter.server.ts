import { changeTravelers, createChapter, deleteChapter, updateChapter } from '#shared/churches/chapters.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { visitorOf } from '#web/lib/visitor.ts'
import { translatedError } from './misplaced.server.ts'
import { CHAPTERS, chapterPath } from './paths.ts'
import { chapterOf } from './values.ts'

/** All actions of the chapter forms. */
export const actOnChapter = formAction(
  {
    create: async (call, { values, flash }) => {
      const { chapter } = await call(createChapter, { body: chapterOf(values) as never })
      return flash(chapterPath(chapter.id), 'chapter_created')
    },
    save: async (call, { id, values, text, flash }) => {
      await call(updateChapter, { params: { id }, body: { ...chapterOf(values), made_from: text('made_from') } })
      return flash(chapterPath(id), 'chapter_saved')
    },
    delete: async (call, { id, text, flash }) => {
      await call(deleteChapter, { params: { id }, body: { made_from: text('made_from'), reason: text('reason') } })
      return flash(CHAPTERS, 'chapter_deleted')
    },
    travelers: async (call, { id, text, flash }) => {
      await call(changeTravelers, { params: { id }, body: { change: text('change') === 'less' ? -1 : 1 } })
      return flash(chapterPath(id), 'travelers')
    },
  },
  { onError: async (error, { context }) => ({ error: translatedError(visitorOf(context).language, error) }) },
)
