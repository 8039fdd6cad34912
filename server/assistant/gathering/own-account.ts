import type { Db } from '#server/db/connection.ts'
import { speechOf } from '../composing/speech.ts'
import { actionsIn } from './actions.ts'
import { type Gathered, NOTHING, type QuestionContext } from './context.ts'

/** The country in the user's own profile, read in the caller's transaction. */
export async function readOwnCountry(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('user_profiles').select('country_code').where('id', '=', id).executeTakeFirst()
  return row?.country_code ?? null
}

/**
 * The signed-in user's own applications. A reference alone discloses nothing (F-30). The portal stores no applications
 * yet, and the answer says so.
 */
export function gatherOwn({ language, user, understood }: QuestionContext): Gathered {
  const speech = speechOf(language)
  const actions = actionsIn(speech)
  if (!user) {
    const { applicationId } = understood.analysis.entities
    const refusal = applicationId ? [speech.plain('refused_personal')] : [speech.plain('status_sign_in')]
    return { ...NOTHING, opening: refusal, quickActions: [actions.signIn, actions.person] }
  }
  const title = speech.plain('status_none')
  return {
    sections: [{ lead: { text: speech.say('status_none'), records: [RECORD] }, statements: [] }],
    sources: [
      {
        record: RECORD,
        kind: 'own',
        title,
        url: '/dashboard',
        source: null,
        checked_on: null,
        changed_on: null,
        is_expired: false,
        excerpt: null,
      },
    ],
    quickActions: [actions.person, actions.pdos],
    found: 'all',
  }
}

const RECORD = 'own:applications'
