import type { Answer } from '#shared/roll-calls/answers.ts'
import { closeHelp, closeRollCall, remindRollCall, takeCare, writeAnswer } from '#shared/roll-calls/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'

/** `subject` is the id of the recipient; empty for the roll call itself. */
export interface ActionData extends FormResult {
  /** Another helper was first. */
  taken_by?: string
}

/** All actions of the page of a roll call. */
export const actOnRollCall = formAction<Pick<ActionData, 'taken_by'>>({
  take: async (call, { id, text, back }) => {
    const { is_mine, helper_name } = await call(takeCare, { params: { id, person: text('subject') } })
    return is_mine ? back('take', 'action') : { taken_by: helper_name ?? '' }
  },
  helped: async (call, { id, text, back }) => {
    await call(closeHelp, { params: { id, person: text('subject') }, body: { note: text('note') } })
    return back('helped', 'action')
  },
  answer: async (call, { id, text, back }) => {
    const body = { answer: text('answer') as Answer, note: text('note') }
    await call(writeAnswer, { params: { id, person: text('subject') }, body })
    return back('answer', 'action')
  },
  remind: async (call, { id, back }) => {
    await call(remindRollCall, { params: { id } })
    return back('remind', 'action')
  },
  close: async (call, { id, back }) => {
    await call(closeRollCall, { params: { id } })
    return back('close', 'action')
  },
})
