// npm run evaluate [-- --write]: asks the assistant the questions of evaluate/questions over fixed records, without a
// model and with misbehaving ones, and prints the results as tables.
import { parseArgs } from 'node:util'
import { type Failure, failuresOf } from './checks.ts'
import { factsDiffer } from './consistency.ts'
import { reportUnseen } from './danger/holdout.ts'
import { readKnown } from './known-records.ts'
import { BEHAVIOURS, type Behaviour, PLANTED, startMisbehavingPeer } from './model-behaviours.ts'
import { questions } from './questions.ts'
import { report, writeReport } from './report.ts'
import { askAll, type RunResult } from './runner.ts'
import { altered } from './statements.ts'
import { openWorld } from './world.ts'

/** Maximum response time for a public caller (C-27). */
const WITHIN_MS = 20_000

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    model: { type: 'boolean', default: true },
    unseen: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const world = await openWorld()
const known = await readKnown(world.database)
const all = questions().filter(({ id, language }) => !values.only || `${language}.${id}`.includes(values.only))

const plain = await withoutModel()
const chosen = values.model ? await withMisbehavingModel() : null
const unseen = values.unseen && !values.only ? await withUnseen() : []
await world.close()

const text = [report({ plain, chosen }), ...unseen].join('\n\n')
console.log(text)
if (values.write) writeReport(text)
const mayNever = [...plain.failures, ...(chosen?.failures ?? [])].filter(({ check }) =>
  ['links', 'unsupported', 'altered', 'time'].includes(check),
)
process.exitCode = mayNever.length > 0 ? 1 : 0
// Connections to the peer may linger.
setTimeout(() => process.exit(), 500).unref()

async function withoutModel() {
  const app = await world.openApp()
  const came = await askAll(app, all, { atOnce: 1, streams: false })
  app.stop()
  const failures = [
    ...came.flatMap((result) => failuresOf(result, known, world.nameOf)),
    ...factsDiffer(came, world.nameOf),
  ]
  return { came, failures: [...failures, ...tooLate(came)] }
}

async function withUnseen(): Promise<string[]> {
  const app = await world.openApp()
  const text = await reportUnseen(app)
  app.stop()
  return [text]
}

/** Asks all questions with the first misbehaving model, and a selection with each of the others. */
async function withMisbehavingModel() {
  const peer = await startMisbehavingPeer()
  const answers: { result: RunResult; behaviour: Behaviour | null }[] = []
  for (const behaviour of BEHAVIOURS) {
    const asking =
      answers.length === 0
        ? all
        : answers.flatMap(({ result, behaviour }) => (behaviour === BEHAVIOURS[0] ? [result.question] : []))
    peer.behave(behaviour)
    // A new app each time, so that no cached answer or choice is reused.
    const app = await world.openApp({ url: peer.url, key: 'a key that only the evaluation knows of', name: 'peer' })
    const came = await askAll(app, asking, { atOnce: 80, streams: true })
    app.stop()
    answers.push(
      ...came.map((result) => ({ result, behaviour: peer.wasAsked(result.question.question) ? behaviour : null })),
    )
  }
  await peer.close()
  const failures = answers.flatMap(({ result, behaviour }) => failuresWith(result, behaviour))
  const came = answers.map(({ result }) => result)
  const behaviourOf = new Map(answers.map(({ result, behaviour }) => [result, behaviour]))
  return {
    came,
    failures: [...failures, ...tooLate(came)],
    behaviourOf: (result: RunResult) => behaviourOf.get(result) ?? null,
  }
}

function failuresWith(result: RunResult, behaviour: Behaviour | null): Failure[] {
  const { metadata } = result.reply
  const without = plain.came.find(({ question }) => question === result.question)!.reply
  const { status } = without.metadata
  const wanted = behaviour?.fails && status === 'answered' ? 'fallback' : status
  const planted = result.seen.map((output) => PLANTED.exec(output)?.[0]).find(Boolean)
  const fail = (check: Failure['check'], what: string) => ({
    check,
    came: result,
    what: `${what} (${behaviour?.name})`,
  })
  return [
    ...failuresOf(result, known, world.nameOf).filter(({ check }) => ['links', 'unsupported'].includes(check)),
    ...altered(without, result.reply).map((what) => fail('altered', what)),
    ...(planted ? [fail('unsupported', planted)] : []),
    ...(metadata.status === wanted ? [] : [fail('status', `${metadata.status}, not ${wanted}`)]),
  ]
}

function tooLate(came: readonly RunResult[]): Failure[] {
  return came
    .filter(({ milliseconds }) => milliseconds > WITHIN_MS)
    .map((result) => ({ check: 'time', came: result, what: `${Math.round(result.milliseconds)} ms` }))
}
