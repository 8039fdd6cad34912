import { ANSWERS } from '#shared/roll-calls/answers.ts'
import type { AnswerBody, OwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { type FirstCall, firstCallIn } from '#web/emergency/place.server.ts'
import { visitorOf } from '#web/lib/visitor.ts'

/** Values of an answer form; validated by the endpoint. */
export function answerIn(form: FormData): AnswerBody {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const [note, phone] = [text('note'), text('phone')]
  return {
    answer: text('answer') as AnswerBody['answer'],
    ...(note === undefined ? {} : { note }),
    ...(phone === undefined ? {} : { phone }),
  }
}

/** The answer chosen by a link in a message. */
export function chosenIn(request: Request) {
  const value = new URL(request.url).searchParams.get('answer')
  return ANSWERS.find((known) => known === value) ?? null
}

/** The number to call first in the country of a roll call. */
export async function callOf(
  context: Parameters<typeof visitorOf>[0],
  { country_code }: Pick<OwnRollCall, 'country_code'>,
): Promise<FirstCall | null> {
  if (!country_code) return null
  return firstCallIn(context, country_code, { name: nameIn(visitorOf(context).language)(country_code) })
}
