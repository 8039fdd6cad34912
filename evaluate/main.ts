// npm run evaluate [-- --write]: asks the assistant the questions of evaluate/questions over fixed records, without a
// model and with one that misbehaves, and prints what came out as tables.
import { parseArgs } from 'node:util'
import { askAll, type Came } from './asking.ts'
import { type Failure, failuresOf } from './checks.ts'
import { reportUnseen } from './danger/unseen.ts'
import { readKnown } from './known.ts'
import { PLANTED, startMisbehavingPeer } from './misbehaving.ts'
import { questions } from './questions.ts'
import { report, writeReport } from './report.ts'
import { factsDiffer } from './same.ts'
import { openWorld } from './world.ts'

/** How long a public caller waits at most (C-27). */
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
const phrased = values.model ? await withMisbehavingModel() : null
const unseen = values.unseen && !values.only ? await withUnseen() : []
await world.close()

const text = [report({ plain, phrased }), ...unseen].join('\n\n')
console.log(text)
if (values.write) writeReport(text)
const mayNever = [...plain.failures, ...(phrased?.failures ?? [])].filter(({ check }) =>
  ['links', 'unsupported', 'time'].includes(check),
)
process.exitCode = mayNever.length > 0 ? 1 : 0
// Connections to the peer may linger.
setTimeout(() => process.exit(), 500).unref()

async function withoutModel() {
  const app = await world.openApp()
  const came = await askAll(app, all, { atOnce: 1, streams: false })
  app.stop()
  const failures = [...came.flatMap((one) => failuresOf(one, known, world.nameOf)), ...factsDiffer(came, world.nameOf)]
  return { came, failures: [...failures, ...tooLate(came)] }
}

async function withUnseen(): Promise<string[]> {
  const app = await world.openApp()
  const text = await reportUnseen(app)
  app.stop()
  return [text]
}

async function withMisbehavingModel() {
  const peer = await startMisbehavingPeer(all.map(({ question }) => question))
  const app = await world.openApp({ url: peer.url, key: 'a key that only the evaluation knows of', name: 'peer' })
  const came = await askAll(app, all, { atOnce: 80, streams: true })
  app.stop()
  await peer.close()
  const failures = came.flatMap((one): Failure[] => {
    const behaviour = peer.behaviourFor(one.question.question)
    const { metadata } = one.reply
    const status = plain.came.find(({ question }) => question === one.question)!.reply.metadata.status
    const wanted = behaviour?.fails && status === 'answered' ? 'fallback' : status
    const found = failuresOf(one, known, world.nameOf).filter(({ check }) => ['links', 'unsupported'].includes(check))
    const planted = one.seen.map((words) => PLANTED.exec(words)?.[0]).find(Boolean)
    return [
      ...found,
      ...(planted ? [{ check: 'unsupported' as const, came: one, what: `${planted} (${behaviour?.name})` }] : []),
      ...(metadata.status === wanted
        ? []
        : [{ check: 'status' as const, came: one, what: `${metadata.status}, not ${wanted} (${behaviour?.name})` }]),
    ]
  })
  return { came, failures: [...failures, ...tooLate(came)], behaviourFor: peer.behaviourFor }
}

function tooLate(came: readonly Came[]): Failure[] {
  return came
    .filter(({ milliseconds }) => milliseconds > WITHIN_MS)
    .map((one) => ({ check: 'time', came: one, what: `${Math.round(one.milliseconds)} ms` }))
}
