import { type Came, recordsAsked } from './asking.ts'
import type { Failure } from './checks.ts'

/** Answers to the same question that rest on other records than the answer in English. */
export function factsDiffer(came: readonly Came[], nameOf: (record: string) => string): Failure[] {
  const recordsOf = ({ reply }: Came) => recordsAsked(reply).map(nameOf).join(' ')
  const english = new Map(
    came.filter(({ question }) => question.language === 'en').map((one) => [one.question.id, one]),
  )
  return came.flatMap((one): Failure[] => {
    const same = one.question.isShared ? english.get(one.question.id) : undefined
    if (!same || recordsOf(one) === recordsOf(same)) return []
    return [
      { check: 'same facts', came: one, what: `${recordsOf(one) || 'none'} in place of ${recordsOf(same) || 'none'}` },
    ]
  })
}
