// npm run bench [-- reads pages …] [--write]: measures the portal against its limits, in one interleaved run, as a
// table.
import { parseArgs } from 'node:util'
import { type Measurement, machine, type Row, table, today, writeReport } from './report.ts'
import { type BenchEnvironment, prepareGround } from './tools/environment.ts'

const MEASUREMENTS: Record<string, () => Promise<{ measure: (ground: BenchEnvironment) => Promise<Row[]> }>> = {
  reads: () => import('./reads.ts'),
  pages: () => import('./pages.ts'),
  sizes: () => import('./sizes.ts'),
  locator: () => import('./locator.ts'),
  assistant: () => import('./assistant.ts'),
  start: () => import('./startup.ts'),
  fresh: () => import('./freshness.ts'),
  drain: () => import('./drain.ts'),
  degraded: () => import('./outages.ts'),
  stalls: () => import('./stalls.ts'),
  acknowledging: () => import('./acknowledgments.ts'),
  'signing-in': () => import('./sign-ins.ts'),
  'sign-in-storm': () => import('./sign-in-storm.ts'),
  notify: () => import('./fan-out.ts'),
  'kill-senders': () => import('./dispatcher-kills.ts'),
  carriers: () => import('./transports.ts'),
  sizing: () => import('./capacity.ts'),
  'power-cuts': () => import('./power-cuts.ts'),
  durability: () => import('./durability.ts'),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '9' },
    repeat: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(help())
else await run()

async function run(): Promise<void> {
  const names = Object.keys(MEASUREMENTS)
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`There is no measurement ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  const [seconds, rounds, repeat] = [Number(values.seconds), Number(values.rounds), Number(values.repeat)]
  const ground = await prepareGround({ seconds, rounds, repeat })
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void ground.stop().finally(() => process.exit(130)))
  const measured: Measurement[] = []
  try {
    for (const name of positionals.length > 0 ? positionals : names) {
      console.error(`› ${name} …`)
      const { measure } = await MEASUREMENTS[name]!()
      await measure(ground).then(
        (rows) => measured.push({ name, rows }),
        (error) => {
          // Continue with the other measurements.
          console.error(error)
          process.exitCode = 1
        },
      )
    }
  } finally {
    await ground.stop()
  }
  console.log(`\n${machine()}\n\n${table(measured, today())}`)
  if (values.write) writeReport(measured, names, today())
}

function help(): string {
  return `npm run bench [-- ${Object.keys(MEASUREMENTS).join(' ')}] [--write]

Runs all measurements, or those that are named, and prints one table. A budget that is missed is no error.
  --write      puts the figures into docs/performance.md
  --seconds    length of one loaded round (1)
  --rounds     how often the compared things take turns (9)
  --repeat     how often a page is loaded, a node stopped, a row edited (5)`
}
