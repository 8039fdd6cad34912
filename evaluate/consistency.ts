import type { Failure } from './checks.ts'
import { answerRecords, type RunResult } from './runner.ts'

/** Answers to the same question that cite different records from the English answer. */
export function factsDiffer(came: readonly RunResult[], nameOf: (record: string) => string): Failure[] {
  const recordsOf = ({ reply }: RunResult) => answerRecords(reply).map(nameOf).join(' ')
  const english = new Map(
    came.filter(({ question }) => question.language === 'en').map((result) => [result.question.id, result]),
  )
  return came.flatMap((result): Failure[] => {
    const same = result.question.isShared ? english.get(result.question.id) : undefined
    if (!same || recordsOf(result) === recordsOf(same)) return []
    return [
      {
        check: 'same facts',
        came: result,
        what: `${recordsOf(result) || 'none'} in place of ${recordsOf(same) || 'none'}`,
      },
    ]
  })
}
