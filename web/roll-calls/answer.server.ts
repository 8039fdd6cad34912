import { ANSWERS } from '#shared/roll-calls/answers.ts'
import type { GivenAnswer } from '#shared/roll-calls/endpoints.ts'

/** What a form of an answer holds; which answers there are is decided by the endpoint. */
export function answerIn(form: FormData): GivenAnswer {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const [note, phone] = [text('note'), text('phone')]
  return {
    answer: text('answer') as GivenAnswer['answer'],
    ...(note === undefined ? {} : { note }),
    ...(phone === undefined ? {} : { phone }),
  }
}

/** The answer that was tapped in a message. */
export function chosenIn(request: Request) {
  const given = new URL(request.url).searchParams.get('answer')
  return ANSWERS.find((known) => known === given) ?? null
}

/** It was the form with the note that was sent. */
export const isMoreIn = (form: FormData) => form.has('note')
