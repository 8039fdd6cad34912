import { errorResponseOf } from '#server/http/failure.ts'
import type { Router } from '#server/http/router.ts'
import { askAssistant, streamAnswer } from '#shared/assistant/chat.ts'
import type { AnsweringDeps, AnswerResult, Listener } from './answer.ts'
import type { TtlCache } from './cache.ts'
import { Chat } from './chat.ts'
import type { AssistantDeps } from './deps.ts'
import { eventStream } from './event-stream.ts'

/** Questions and their answers, complete or streamed. */
export function registerAnswers(
  router: Router,
  deps: AssistantDeps & { answering: AnsweringDeps; answerCache: TtlCache<AnswerResult> },
) {
  const chat = new Chat(deps)

  router.act(askAssistant, async ({ session, now }, { body }) => {
    const conversation = await chat.admit({ session, now }, body)
    return chat.reply({ session, now }, body, conversation, {}, new AbortController().signal)
  })

  router.act(streamAnswer, async ({ session, now }, { body }) => {
    const conversation = await chat.admit({ session, now }, body)
    return eventStream(async (send, gone) => {
      const listener: Listener = {
        onStart: (start) => send('start', start),
        onText: (text) => send('words', { text }),
      }
      try {
        send('answer', await chat.reply({ session, now }, body, conversation, listener, gone))
      } catch (error) {
        // Client disconnected; nothing to send.
        if (gone.aborted) return
        const { status, body: failure } = errorResponseOf(error, deps.log)
        send('failure', { ...failure, status_code: status })
      }
    })
  })
}
