import type { Log } from '#server/log.ts'
import type { Pick } from '../composing/arrangement.ts'
import { attempts, INVALID_RESPONSE } from './attempts.ts'
import type { Choosing } from './choice.ts'
import { picksIn } from './picks.ts'
import { promptFor } from './prompt.ts'
import type { Model, Prompt } from './provider.ts'
import type { Spending } from './spending.ts'

/** More than any list of ids needs; whoever goes on writes something else. */
const MAX_CHARACTERS = 4_000
/** Where a call ends before its cost is known, it is estimated. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Has a model choose which statements come first. It is read for the ids of what it was offered; no word of it goes
 * further. Throws where it names none of them.
 */
export function createChoosing(deps: { model: Model; spending: Spending; log: Log }): Choosing {
  const { model, spending, log } = deps
  return async (request) => {
    if (!(await spending.take(request.visitor))) return null
    const ids = new Set(request.choosable.map(({ id }) => id))
    const prompt = promptFor(request)
    const answer: Answered = { picks: [], tokens: 0 }
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

interface Answered {
  picks: readonly Pick[]
  tokens: number
}

/** Fills in what has been named so far, so that it is known also where the call breaks off. */
async function read(
  model: Model,
  prompt: Prompt,
  { ids, patience, answer }: { ids: ReadonlySet<string>; patience: AbortSignal; answer: Answered },
): Promise<void> {
  // Ends the call where nobody reads on.
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

/** "S1" may yet become "S12". */
const isCut = (text: string) => /[SC]\d*$/.test(text)
