import type { Log } from '#server/log.ts'
import type { Pick } from '../composing/arrangement.ts'
import { attempts, INVALID_RESPONSE } from './attempts.ts'
import type { Choose } from './choice.ts'
import type { ModelBudget } from './model-budget.ts'
import { picksIn } from './picks.ts'
import { promptFor } from './prompt.ts'
import type { Model, Prompt } from './provider.ts'

/** Longer than any list of ids; longer output is something else. */
const MAX_CHARACTERS = 4_000
/** Estimates the cost of a call that ended before reporting it. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Lets the model choose which statements come first. Only offered ids are read from its output; none of its text is
 * used. Throws if it names none of them.
 */
export function createChoosing(deps: { model: Model; spending: ModelBudget; log: Log }): Choose {
  const { model, spending, log } = deps
  return async (request) => {
    if (!(await spending.take(request.visitor))) return null
    const ids = new Set(request.choosable.map(({ id }) => id))
    const prompt = promptFor(request)
    const answer: ModelAnswer = { picks: [], tokens: 0 }
    try {
      await attempts((patience) => read(model, prompt, { ids, patience, answer }), { signal: request.signal })
    } catch (error) {
      if (answer.picks.length === 0) throw error
      log.warn({ reason: (error as Error).message }, 'a model stopped before it had named everything')
    } finally {
      spending.spent(answer.tokens)
    }
    return { ...answer, model: model.name }
  }
}

interface ModelAnswer {
  picks: readonly Pick[]
  tokens: number
}

/** Updates `answer` while streaming, so that a partial choice survives an interrupted call. */
async function read(
  model: Model,
  prompt: Prompt,
  { ids, patience, answer }: { ids: ReadonlySet<string>; patience: AbortSignal; answer: ModelAnswer },
): Promise<void> {
  // Ends the call when the reader stops.
  const over = new AbortController()
  const { textStream, tokens } = model.stream(prompt, AbortSignal.any([patience, over.signal]))
  let all = ''
  try {
    for await (const piece of textStream) {
      all += piece
      answer.picks = picksIn(all, ids)
      const isComplete = answer.picks.length === ids.size && !isCut(all)
      if (isComplete || all.length > MAX_CHARACTERS) break
    }
  } finally {
    over.abort()
    const length = JSON.stringify(prompt).length + all.length
    answer.tokens += (await tokens()) || (all === '' ? 0 : Math.ceil(length / CHARACTERS_PER_TOKEN))
  }
  if (answer.picks.length === 0) throw new Error(INVALID_RESPONSE)
}

/** "S1" may still become "S12". */
const isCut = (text: string) => /[SC]\d*$/.test(text)
